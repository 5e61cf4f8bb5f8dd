import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from 'blurhash'
import { blurredPicture } from './blur.ts'

test('a blurhash becomes a small bitmap of the same colours', () => {
  const orange = new Uint8ClampedArray(64 * 4).map((_, at) => [230, 120, 20, 255][at % 4] ?? 0)
  const address = blurredPicture(encode(orange, 8, 8, 1, 1)) ?? ''
  assert.match(address, /^data:image\/bmp;base64,/)
  const file = Buffer.from(address.split(',')[1] ?? '', 'base64')
  assert.equal(file.readUInt32LE(2), file.length)
  const [blue = 0, green = 0, red = 0] = file.subarray(54, 57)
  assert.ok(
    Math.abs(red - 230) < 12 && Math.abs(green - 120) < 12 && Math.abs(blue - 20) < 12,
    `${red} ${green} ${blue}`,
  )
})

test('an invalid or missing blurhash gives no image', () => {
  for (const hash of [null, undefined, '', 'x', 'LEHV6nWB2yk8', '"><script>']) assert.equal(blurredPicture(hash), null)
})
