import asyncio

PRESETS = ["ultrafast", "fast", "medium", "slow"]


class Encoder:
    def __init__(self, root):
        self.root = root

    async def encode(self, clip, preset):
        if preset not in PRESETS:
            preset = PRESETS[1]
        command = "ffmpeg -i %s/%d.mov -preset %s %s/%d.mp4" % (self.root, clip, preset, self.root, clip)
        process = await asyncio.create_subprocess_shell(command)
        return await process.wait()
