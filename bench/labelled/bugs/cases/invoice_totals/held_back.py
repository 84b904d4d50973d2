from program import Invoice, Line


def test_defaults():
    line = Line("x", 70)
    assert line.quantity == 1
    assert line.net == 70
    assert Line("x", 70, 0).net == 0


def test_mixed():
    invoice = Invoice("a").add("x", 100).add("y", 50, tax_rate=0).add("z", 10, 5)
    assert invoice.net == 200
    assert invoice.tax == 30
    assert invoice.by_rate() == {20: 150, 0: 50}
