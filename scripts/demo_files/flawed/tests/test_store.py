import unittest

from store import Store


class StoreTest(unittest.TestCase):
    def test_orders_add_up(self):
        store = Store("orders.txt")
        store.add("tea", 2)
        self.assertEqual(store.add("tea", 3), 5)
        self.assertEqual(store.total(), 5)


if __name__ == "__main__":
    unittest.main()
