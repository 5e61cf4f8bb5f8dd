import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import sharp from 'sharp'
import { identifyMedia } from './identify-media.ts'
import type { MediaContainer, MediaKind } from './identify-media.ts'
import { UnsupportedMediaError } from './media-errors.ts'

const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#336699' } })

test('an image is identified by its content, in memory and in a file of any name', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-probe-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const format of ['jpeg', 'png', 'gif', 'webp', 'avif'] as const) {
    const buffer = await picture.clone().toFormat(format).toBuffer()
    assert.deepEqual(await identifyMedia({ buffer }), { type: 'image', format })
    const path = join(folder, `${format}.html`)
    await writeFile(path, buffer)
    assert.deepEqual(await identifyMedia({ path }), { type: 'image', format })
  }
})

test('an animated PNG counts as a PNG', async () => {
  const png = await picture.clone().png().toBuffer()
  const afterHeader = 33
  const animation = Buffer.from('000000086163544c0000000200000000f38d9370', 'hex')
  const buffer = Buffer.concat([png.subarray(0, afterHeader), animation, png.subarray(afterHeader)])
  assert.deepEqual(await identifyMedia({ buffer }), { type: 'image', format: 'png' })
})

const others: Record<string, Buffer> = {
  nothing: Buffer.alloc(0),
  html: Buffer.from('<!doctype html><script>alert(1)</script>'),
  svg: Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  'svg without prologue': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'),
  script: Buffer.from('alert(1)'),
  'JSON-LD': Buffer.from('{"@context":"https://www.w3.org/ns/activitystreams","type":"Note"}'),
  tiff: Buffer.from('49492a0008000000000000000000', 'hex'),
  psd: Buffer.from('38425053000100000000000000030000c3500000c35000080003', 'hex'),
  bmp: Buffer.from('424d46000000000000003600000028000000', 'hex'),
  ico: Buffer.from('00000100010010100000010020006804', 'hex'),
  pdf: Buffer.from('%PDF-1.7\n'),
  heic: Buffer.from('000000186674797068656963000000006d69663168656963', 'hex'),
  'jpeg xl': Buffer.from('ff0a000000000000', 'hex'),
  mkv: Buffer.from('1a45dfa3934282886d6174726f736b6142878104428581021853806700', 'hex'),
  playlist: Buffer.from('#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\nfile:///etc/passwd\n'),
}

const moving: Record<MediaContainer, Buffer> = {
  mp4: Buffer.from('000000186674797069736f6d0000020069736f6d6d703432', 'hex'),
  webm: Buffer.from('1a45dfa3934282847765626d42878104428581021853806700', 'hex'),
  ogg: Buffer.from('4f67675300020000000000000000', 'hex'),
  wav: Buffer.from('524946462400000057415645666d7420', 'hex'),
  mp3: Buffer.from('fffb90640000000000000000', 'hex'),
  flac: Buffer.from('664c61430000002210001000', 'hex'),
  aac: Buffer.from('fff15080000000000000', 'hex'),
  asf: Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'),
}

test('video and audio are identified by their first bytes or by the bytes after an ID3 tag', async () => {
  for (const [container, buffer] of Object.entries(moving)) {
    assert.deepEqual(await identifyMedia({ buffer }), { type: 'moving', container })
  }
  const tag = Buffer.concat([Buffer.from('49443304000000000105', 'hex'), Buffer.alloc(128 + 5)])
  for (const container of ['mp3', 'flac'] as const) {
    const buffer = Buffer.concat([tag, moving[container]])
    assert.deepEqual(await identifyMedia({ buffer }), { type: 'moving', container })
  }
})

test('a HEIC image is rejected with an alternative', () =>
  assert.rejects(identifyMedia({ buffer: others['heic']! }), { message: /HEIC pictures are not supported.+JPEG/ }))

for (const [name, buffer] of Object.entries(others))
  test(`ME2: ${name} is rejected with any file name`, () =>
    assert.rejects(identifyMedia({ buffer }), UnsupportedMediaError))

test('arbitrary bytes after any signature are identified or rejected', async () => {
  const beginnings = [...Object.values(others), ...Object.values(moving), await picture.clone().png().toBuffer()]
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 200 }), async (beginning, rest) => {
      const result = await identifyMedia({ buffer: Buffer.concat([beginning, rest]) }).catch((error: unknown) => error)
      assert.ok(result instanceof UnsupportedMediaError || ['image', 'moving'].includes((result as MediaKind).type))
    }),
  )
})

test('a missing file is not reported as the client’s fault', async () => {
  await assert.rejects(identifyMedia({ path: '/nowhere/a.png' }), { code: 'ENOENT' })
})
