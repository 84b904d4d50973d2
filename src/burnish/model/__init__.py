"""The words of Burnish as types: frozen, without behaviour beyond themselves, importing nothing of ours."""
