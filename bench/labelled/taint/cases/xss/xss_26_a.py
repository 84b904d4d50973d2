from flask import Flask, render_template_string, request

app = Flask(__name__)
LAYOUT = "<html><body>%s</body></html>"


@app.get("/page")
def render_page():
    heading = request.args.get("heading", "Welcome")
    source = LAYOUT % ("<h1>" + heading + "</h1>")
    return render_template_string(source)
