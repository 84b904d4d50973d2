import pytest
from program import evaluate


@pytest.mark.parametrize("text", ["1-2+3", "8-(3-2)-1", "2*3-4*5-6", "7-1-1-1-1", "1 - -1 + 2", "12/4/3", "2-3*2+1", "5-2*2-1"])
def test_agrees_with_python(text):
    assert evaluate(text) == eval(text)
