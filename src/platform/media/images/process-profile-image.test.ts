import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { profileImageMaxBytes } from './image-limits.ts'
import { processAvatar, processHeader } from './process-profile-image.ts'
import { UnprocessableMediaError, UnsupportedMediaError } from '../media-errors.ts'
import type { ProcessedIcon } from './rendition.ts'

function plain(width: number, height: number, background = '#336699') {
  return sharp({ create: { width, height, channels: 3, background } })
}

async function animatedGif(width: number, height: number): Promise<Buffer> {
  const frames = await Promise.all(
    ['#ff0000', '#0000ff'].map((colour) => plain(width, height, colour).raw().toBuffer()),
  )
  const raw = { width, height: height * 2, channels: 3, pageHeight: height } as const
  return sharp(Buffer.concat(frames), { raw })
    .gif({ delay: [50, 70] })
    .toBuffer()
}

async function sizeOf({ original }: ProcessedIcon) {
  const { width, height } = await sharp(original.buffer).metadata()
  assert.deepEqual([original.width, original.height], [width, height])
  return `${width}x${height}`
}

test('an avatar is cropped to 400 × 400 around the centre, and enlarged if necessary', async () => {
  for (const [width, height] of [
    [1200, 800],
    [50, 90],
  ] as const) {
    const buffer = await plain(width, height).jpeg().toBuffer()
    const avatar = await processAvatar({ buffer })
    assert.equal(await sizeOf(avatar), '400x400')
    assert.equal(avatar.static, null)
  }
  const side = { create: { width: 100, height: 400, channels: 3, background: '#ff0000' } } as const
  const input = await sharp(side).png().toBuffer()
  const buffer = await plain(600, 400, '#0000ff')
    .composite([
      { input, left: 0, top: 0 },
      { input, left: 500, top: 0 },
    ])
    .png()
    .toBuffer()
  const { dominant } = await sharp((await processAvatar({ buffer })).original.buffer).stats()
  assert.ok(dominant.b > 200 && dominant.r < 50)
})

test('a header is cropped to 3:1, at most 1500 wide, and never enlarged', async () => {
  const sizes: [number, number, string][] = [
    [3000, 2000, '1500x500'],
    [1500, 500, '1500x500'],
    [900, 900, '900x300'],
    [4000, 200, '600x200'],
    [1, 1, '1x1'],
  ]
  for (const [width, height, expected] of sizes) {
    const buffer = await plain(width, height).png().toBuffer()
    assert.equal(await sizeOf(await processHeader({ buffer })), expected)
  }
})

test('ME3: an avatar is rotated by its EXIF orientation and has no metadata', async () => {
  const buffer = await plain(400, 200)
    .withExif({ IFD0: { Copyright: 'Sekret' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const { original } = await processHeader({ buffer })
  assert.deepEqual([original.width, original.height], [200, 66])
  const { exif, icc } = await sharp(original.buffer).metadata()
  assert.deepEqual([exif, icc], [undefined, undefined])
})

test('an animated image stays animated and has a static variant', async () => {
  const avatar = await processAvatar({ buffer: await animatedGif(120, 80) })
  assert.equal(await sizeOf(avatar), '80x80')
  const { pages, delay } = await sharp(avatar.original.buffer).metadata()
  assert.deepEqual([pages, delay], [2, [50, 70]])
  assert.deepEqual([avatar.static?.extension, avatar.static?.width, avatar.static?.height], ['png', 80, 80])
  assert.ok((await sharp(avatar.static!.buffer).stats()).dominant.r > 200, 'the first frame')
  const header = await processHeader({ buffer: await animatedGif(120, 80) })
  assert.equal(await sizeOf(header), '120x40')
  assert.equal(header.static?.contentType, 'image/png')
})

test('an avatar cannot be AVIF or larger than eight megabytes', async () => {
  const avif = await plain(8, 8).avif().toBuffer()
  await assert.rejects(processAvatar({ buffer: avif }), UnsupportedMediaError)
  const large = Buffer.concat([await plain(8, 8).png().toBuffer(), Buffer.alloc(profileImageMaxBytes)])
  for (const work of [processAvatar, processHeader])
    await assert.rejects(
      work({ buffer: large }),
      (error) => error instanceof UnprocessableMediaError && error.fault === 'too-large',
    )
})
