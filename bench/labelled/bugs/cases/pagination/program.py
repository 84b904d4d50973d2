"""Cut a list of items into pages."""


class Page:
    def __init__(self, items, number, pages):
        self.items = items
        self.number = number
        self.pages = pages

    @property
    def has_next(self):
        return self.number < self.pages

    @property
    def has_previous(self):
        return self.number > 1


class Paginator:
    def __init__(self, items, per_page=10):
        if per_page < 1:
            raise ValueError("per_page must be at least 1")
        self.items = list(items)
        self.per_page = per_page

    @property
    def page_count(self):
        return max(1, len(self.items) // self.per_page)

    def page(self, number):
        if not 1 <= number <= self.page_count:
            raise IndexError(f"no page {number}")
        start = (number - 1) * self.per_page
        return Page(self.items[start:start + self.per_page], number, self.page_count)

    def page_of(self, index):
        """The number of the page that shows the item with this index."""
        if not 0 <= index < len(self.items):
            raise IndexError(f"no item {index}")
        return index // self.per_page + 1

    def __iter__(self):
        for number in range(1, self.page_count + 1):
            yield self.page(number)
