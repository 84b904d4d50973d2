from flask import Flask, render_template_string, request

app = Flask(__name__)
PAGE = "<article>{{ comment | safe }}</article>"


@app.post("/comment")
def show_comment():
    comment = request.form.get("comment", "")
    if len(comment) > 2000:
        comment = comment[:2000]
    return render_template_string(PAGE, comment=comment)
