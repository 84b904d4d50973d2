import unittest

from prices import discounted


class Discounts(unittest.TestCase):
    def test_ten_percent(self):
        self.assertEqual(discounted(200, 10), 180)

    def test_more_than_everything_is_free(self):
        self.assertEqual(discounted(200, 150), 0)
