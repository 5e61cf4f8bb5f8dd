import sharp from 'sharp'

/** Creates a still image of one colour. */
export async function createImage(
  format: 'png' | 'jpeg' | 'webp' | 'avif',
  { width = 640, height = 480, background = '#a92449' }: { width?: number; height?: number; background?: string } = {},
): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer()
}

/** Creates a GIF of two frames. */
export async function createAnimatedGif({
  width = 60,
  height = 60,
}: { width?: number; height?: number } = {}): Promise<Buffer> {
  const frames = await Promise.all(
    ['#a92449', '#24a949'].map((background) => createImage('png', { width, height, background })),
  )
  return sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
}
