// In a process of its own: measures processor time, of which the garbage collection of other files would be a part.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { decode, isBlurhashValid } from 'blurhash'
import sharp from 'sharp'
import { processImage } from './process-image.ts'

const [red, green, blue, white] = ['#ff0000', '#00ff00', '#0000ff', '#ffffff'] as const

function plain(width: number, height: number, background: string) {
  return sharp({ create: { width, height, channels: background.length > 7 ? 4 : 3, background } })
}

/** Returns an image with red, green, blue and white quarters: top left, top right, bottom left, bottom right. */
async function quarters(width: number, height: number) {
  const quarter = (background: string) =>
    plain(width / 2, height / 2, background)
      .png()
      .toBuffer()
  return plain(width, height, red).composite([
    { input: await quarter(green), left: width / 2, top: 0 },
    { input: await quarter(blue), left: 0, top: height / 2 },
    { input: await quarter(white), left: width / 2, top: height / 2 },
  ])
}

/** Returns the colours of the four quarters, each as three digits of 0 to 2: `200` is red. */
async function quartersOf(buffer: Buffer): Promise<string[]> {
  const { data, info } = await sharp(buffer).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => {
    const offset = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
    return [...data.subarray(offset, offset + 3)].map((value) => Math.round((value / 255) * 2)).join('')
  }
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)]
}

async function noise(width: number, height: number) {
  return sharp({
    create: { width, height, channels: 3, background: red, noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
}

async function animation(format: 'gif' | 'webp') {
  const frames = await Promise.all([red, green, blue].map((colour) => plain(60, 40, colour).raw().toBuffer()))
  const raw = { width: 60, height: 120, channels: 3, pageHeight: 40 } as const
  return sharp(Buffer.concat(frames), { raw })
    .toFormat(format, { delay: [100, 200, 300], loop: 3 })
    .toBuffer()
}

test('images of each format are stored in a format that all clients support', async () => {
  const stored = { jpeg: 'jpg', png: 'png', gif: 'gif', webp: 'webp', avif: 'jpg' } as const
  const types = { jpg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' }
  for (const [format, extension] of Object.entries(stored)) {
    const buffer = await (await quarters(80, 40)).toFormat(format as keyof typeof stored).toBuffer()
    const { original, small } = await processImage({ buffer })
    assert.deepEqual([original.extension, original.contentType], [extension, types[extension]], format)
    assert.equal((await sharp(original.buffer).metadata()).mediaType, original.contentType)
    assert.equal(small.extension, extension === 'gif' ? 'png' : extension)
    assert.equal((await sharp(small.buffer).metadata()).mediaType, small.contentType)
    for (const picture of [original, small])
      assert.deepEqual(await quartersOf(picture.buffer), ['200', '020', '002', '222'])
  }
})

test('an image from a file has the same result as from memory', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-image-'))
  t.after(() => rm(folder, { recursive: true }))
  const buffer = await (await quarters(80, 40)).png().toBuffer()
  const path = join(folder, 'upload')
  await writeFile(path, buffer)
  assert.deepEqual(await processImage({ path }), await processImage({ buffer }))
})

test('a small image keeps its size', async () => {
  const buffer = await plain(100, 75, blue).png().toBuffer()
  const { meta } = await processImage({ buffer })
  const size = { width: 100, height: 75, size: '100x75', aspect: 100 / 75 }
  assert.deepEqual(meta, { original: size, small: size })
})

test('a large image is reduced to 8,294,400 pixels, and its preview to 230,400', async () => {
  const buffer = await plain(4000, 3000, blue).jpeg().toBuffer()
  const { original, small, meta } = await processImage({ buffer })
  assert.deepEqual(meta, {
    original: { width: 3325, height: 2494, size: '3325x2494', aspect: 3325 / 2494 },
    small: { width: 553, height: 415, size: '553x415', aspect: 553 / 415 },
  })
  for (const picture of [original, small]) {
    const { width, height } = await sharp(picture.buffer).metadata()
    assert.deepEqual([width, height], [picture.width, picture.height])
  }
})

test('a caller may set lower limits', async () => {
  const buffer = await plain(1280, 720, blue).jpeg().toBuffer()
  const { original } = await processImage({ buffer, limits: { maxStoredPixels: 230_400 } })
  assert.deepEqual([original.width, original.height], [640, 360])
})

test('ME3: an image is rotated by its EXIF orientation', async () => {
  const upright = ['200', '020', '002', '222']
  const turned: Record<number, string[]> = {
    1: upright,
    2: ['020', '200', '222', '002'],
    3: ['222', '002', '020', '200'],
    4: ['002', '222', '200', '020'],
    5: ['200', '002', '020', '222'],
    6: ['002', '200', '222', '020'],
    7: ['222', '020', '002', '200'],
    8: ['020', '222', '200', '002'],
  }
  for (const [orientation, expected] of Object.entries(turned)) {
    const picture = (await quarters(80, 40)).withMetadata({ orientation: Number(orientation) })
    const { original, small } = await processImage({ buffer: await picture.jpeg().toBuffer() })
    const size = Number(orientation) > 4 ? [40, 80] : [80, 40]
    assert.deepEqual([original.width, original.height], size, orientation)
    assert.deepEqual(await quartersOf(original.buffer), expected, orientation)
    assert.deepEqual(await quartersOf(small.buffer), expected, orientation)
    assert.equal((await sharp(original.buffer).metadata()).orientation, undefined)
  }
})

test('ME3: location, camera, owner and comments are removed from images of each format', async () => {
  const secrets = ['Sekret-Owner', 'Sekret-Camera', 'Sekret-Xmp', '52/1']
  const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><Sekret-Xmp/></x:xmpmeta>'
  for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
    const buffer = await (
      await quarters(80, 40)
    )
      .withExif({
        IFD0: { Copyright: 'Sekret-Owner', Model: 'Sekret-Camera' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1', GPSLongitude: '13/1 24/1 0/1' },
      })
      .withXmp(xmp)
      .withIccProfile('p3')
      .toFormat(format)
      .toBuffer()
    const before = await sharp(buffer).metadata()
    assert.ok(before.exif?.includes('Sekret-Owner') && before.xmp && before.icc, format)
    const { original, small } = await processImage({ buffer })
    for (const picture of [original, small]) {
      const { exif, xmp, icc, iptc, comments } = await sharp(picture.buffer).metadata()
      assert.deepEqual(
        [exif, xmp, icc, iptc, comments],
        [undefined, undefined, undefined, undefined, undefined],
        format,
      )
      for (const secret of [...secrets, 'Exif', 'GPS'])
        assert.ok(!picture.buffer.includes(secret), `${format}: ${secret}`)
    }
  }
})

test('colours of another colour profile are converted to sRGB', async () => {
  const expected = { r: 200, g: 50, b: 50 }
  const buffer = await plain(40, 40, red).png().toBuffer()
  const wide = await sharp(buffer)
    .linear([0, 0, 0], [expected.r, expected.g, expected.b])
    .withIccProfile('p3')
    .png()
    .toBuffer()
  const untouched = [...(await sharp(wide, { ignoreIcc: true }).raw().toBuffer()).subarray(0, 3)]
  const { original } = await processImage({ buffer: wide })
  const stored = [...(await sharp(original.buffer).raw().toBuffer()).subarray(0, 3)]
  for (const [index, value] of Object.values(expected).entries())
    assert.ok(Math.abs(stored[index]! - value) <= 3, stored.join())
  assert.ok(Math.abs(untouched[0]! - expected.r) > 8, 'the profile has a wide gamut')
})

test('grey, CMYK and 16-bit images are stored in eight bits of grey or sRGB', async () => {
  const pictures = [
    await (await noise(30, 30)).toColourspace('b-w').jpeg().toBuffer(),
    await (await noise(30, 30)).toColourspace('cmyk').jpeg().toBuffer(),
    await (await noise(30, 30)).toColourspace('rgb16').png().toBuffer(),
  ]
  for (const buffer of pictures) {
    const { original, blurhash } = await processImage({ buffer })
    const { depth, space } = await sharp(original.buffer).metadata()
    assert.equal(depth, 'uchar')
    assert.match(space, /^(b-w|srgb)$/)
    assert.ok(isBlurhashValid(blurhash).result)
  }
})

test('transparency is kept, and becomes white in formats without it', async () => {
  const clear = plain(40, 40, '#ff000000')
  const png = await processImage({ buffer: await clear.clone().png().toBuffer() })
  assert.ok((await sharp(png.small.buffer).metadata()).hasAlpha)
  const avif = await processImage({ buffer: await clear.clone().avif().toBuffer() })
  assert.deepEqual(await quartersOf(avif.original.buffer), Array(4).fill('222'))
  for (const { blurhash } of [png, avif]) assert.deepEqual([...decode(blurhash, 1, 1)].slice(0, 3), [255, 255, 255])
})

test('the blurhash has four by four components and resembles the image', async () => {
  const { blurhash } = await processImage({ buffer: await (await quarters(160, 80)).png().toBuffer() })
  assert.deepEqual(isBlurhashValid(blurhash), { result: true })
  assert.equal(blurhash.length, 4 + 2 * 16)
  const raw = { width: 32, height: 32, channels: 4 } as const
  const shown = sharp(Buffer.from(decode(blurhash, 32, 32)), { raw }).removeAlpha()
  const bright = [...(await shown.resize(2, 2).raw().toBuffer())].map((value) => (value > 180 ? 1 : 0)).join('')
  assert.equal(bright, '100010001111', 'red, green, blue and white quarters')
})

for (const format of ['gif', 'webp'] as const)
  test(`an animated ${format} keeps its frames, their delays and its loop count; its preview is static`, async () => {
    const { original, small, meta } = await processImage({ buffer: await animation(format) })
    const { pages, delay, loop, width, height } = await sharp(original.buffer).metadata()
    assert.deepEqual(
      { pages, delay, loop, width, height },
      { pages: 3, delay: [100, 200, 300], loop: 3, width: 60, height: 40 },
    )
    assert.equal(original.contentType, `image/${format}`)
    assert.deepEqual(meta.original, { width: 60, height: 40, size: '60x40', aspect: 1.5 })
    assert.equal((await sharp(small.buffer).metadata()).pages ?? 1, 1)
    assert.equal(small.extension, format === 'gif' ? 'png' : 'webp')
    assert.deepEqual(await quartersOf(small.buffer), Array(4).fill('200'))
    const last = await sharp(original.buffer, { page: 2 }).png().toBuffer()
    assert.deepEqual(await quartersOf(last), Array(4).fill('002'))
  })

test('processing twelve megapixels hardly uses the thread that serves requests', async () => {
  const buffer = await plain(4000, 3000, blue).jpeg().toBuffer()
  // Starts both decoders, which process many images: a start takes as long as this process has memory.
  const small = await plain(4, 4, blue).jpeg().toBuffer()
  await Promise.all([1, 2].map(() => processImage({ buffer: small })))
  const before = process.threadCpuUsage()
  await Promise.all([1, 2, 3].map(() => processImage({ buffer })))
  const { user, system } = process.threadCpuUsage(before)
  assert.ok(user + system < 100_000, `${user + system} µs for three`)
})

test('ME5: a process that requests decoding does not load the decoders itself', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-image-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'upload')
  await writeFile(path, await plain(40, 40, blue).png().toBuffer())
  const at = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  const code = `
    const { processImage } = await import(${at('process-image.ts')})
    const { processAvatar } = await import(${at('process-profile-image.ts')})
    const made = [await processImage({ path: process.argv[1] }), await processAvatar({ path: process.argv[1] })]
    process.report.excludeNetwork = true
    const { sharedObjects } = process.report.getReport()
    process.stdout.write(JSON.stringify({ sharedObjects, sizes: made.map((one) => one.original.width) }))
  `
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, path])
  const { sharedObjects, sizes } = JSON.parse(stdout) as { sharedObjects: string[]; sizes: number[] }
  assert.deepEqual(sizes, [40, 400])
  assert.ok(sharedObjects.length > 0)
  assert.deepEqual(
    sharedObjects.filter((library) => /sharp|vips/.test(library)),
    [],
  )
})
