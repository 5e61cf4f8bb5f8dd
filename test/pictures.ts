import sharp from 'sharp'

/** A still picture of one colour. */
export async function stillPicture(
  format: 'png' | 'jpeg' | 'webp' | 'avif',
  { width = 640, height = 480, background = '#a92449' }: { width?: number; height?: number; background?: string } = {},
): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer()
}

/** A GIF of two frames. */
export async function movingPicture({
  width = 60,
  height = 60,
}: { width?: number; height?: number } = {}): Promise<Buffer> {
  const frames = await Promise.all(
    ['#a92449', '#24a949'].map((background) => stillPicture('png', { width, height, background })),
  )
  return sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
}
