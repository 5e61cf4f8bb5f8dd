// Slow: converts media.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import sharp from 'sharp'
import { distance, framesOf, pixelsOf, shrink, soundOf } from '../../../../test/decoded.ts'
import { makeSample, noFfmpeg, samples } from '../../../../test/moving-samples.ts'
import { openWorld } from '../../../../test/world.ts'

const WIDTH = 960
const HEIGHT = 600
/** Larger than a preview may be, and in no place as in another. */
const slope = Buffer.alloc(WIDTH * HEIGHT * 3)
for (let y = 0; y < HEIGHT; y += 1) {
  for (let x = 0; x < WIDTH; x += 1) {
    slope.set([(255 * x) / WIDTH, (255 * y) / HEIGHT, (255 * (x + y)) / (WIDTH + HEIGHT)], 3 * (y * WIDTH + x))
  }
}
const draw = () => sharp(slope, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })

/** Of 255, between what was sent and what is shown: as much as encoding anew and fewer colours may change. */
const MOST_APART = 9

const FILM = { width: 128, height: 96 }
const film = makeSample
const firstOf = async (sent: Buffer) => (await framesOf(sent, FILM))[0]!
const red = async () =>
  pixelsOf(
    await sharp({ create: { width: 64, height: 64, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer(),
  )
/** The sounds that have a red cover. */
const COVERED = ['audio/mpeg', 'audio/mp3']
const threeGp = [...samples.m4a.slice(0, -1), 'a.3gp']
const stillGif = async () =>
  sharp(await draw().resize(320, 200).png().toBuffer())
    .gif()
    .toBuffer()

/** What a client that goes by this type sends, and as what it is shown. */
const TYPES: Record<string, [shown: 'image' | 'gifv' | 'video' | 'audio', make: () => Promise<Buffer>]> = {
  'image/jpeg': ['image', () => draw().jpeg({ quality: 92 }).toBuffer()],
  'image/png': ['image', () => draw().png().toBuffer()],
  'image/gif': ['gifv', () => film(samples.gif)],
  'image/gif that stands still': ['image', stillGif],
  'image/webp': ['image', () => draw().webp().toBuffer()],
  'image/avif': ['image', () => draw().avif({ effort: 2 }).toBuffer()],
  'video/mp4': ['video', () => film(samples.mp4)],
  'video/quicktime': ['video', () => film(samples.mov)],
  'video/webm': ['video', () => film(samples.webm)],
  'video/ogg': ['video', () => film(samples.ogv)],
  // Mastodon counts it among the sounds, by the name that files of Windows have.
  'video/x-ms-asf': ['audio', () => film(samples.wma)],
  'audio/wave': ['audio', () => film(samples.wav)],
  'audio/wav': ['audio', () => film(samples.wav)],
  'audio/x-wav': ['audio', () => film(samples.wav)],
  'audio/x-pn-wave': ['audio', () => film(samples.wav)],
  'audio/vnd.wave': ['audio', () => film(samples.wav)],
  'audio/ogg': ['audio', () => film(samples.opus)],
  'audio/vorbis': ['audio', () => film(samples.ogg)],
  'audio/mpeg': ['audio', () => film(samples.mp3)],
  'audio/mp3': ['audio', () => film(samples.mp3)],
  'audio/webm': ['audio', () => film(samples['webm of sound'])],
  'audio/flac': ['audio', () => film(samples.flac)],
  'audio/aac': ['audio', () => film(samples.aac)],
  'audio/m4a': ['audio', () => film(samples.m4a)],
  'audio/x-m4a': ['audio', () => film(samples.m4a)],
  'audio/mp4': ['audio', () => film(samples.m4a)],
  'audio/3gpp': ['audio', () => film(threeGp)],
}

suite('of every type that the server says it takes', { skip: noFfmpeg, timeout: 180_000, concurrency: 6 }, async () => {
  const world = await openWorld()
  after(world.close)
  const base = await world.listen()

  /** A file as a browser gets it. */
  async function look(url: string): Promise<{ file: Buffer; type: string | null }> {
    const answer = await fetch(new URL(new URL(url).pathname, base))
    assert.equal(answer.status, 200)
    return { file: Buffer.from(await answer.arrayBuffer()), type: answer.headers.get('content-type') }
  }

  test('there is one to try, and of no other', async () => {
    const { body } = await world.anonymous.get('/api/v2/instance')
    const told: string[] = body.configuration.media_attachments.supported_mime_types
    const tried = new Set(Object.keys(TYPES).map((name) => name.split(' ')[0]!))
    assert.deepEqual(told.toSorted(), [...tried].toSorted())
  })

  for (const [name, [shown, make]] of Object.entries(TYPES)) {
    test(`${name}: what masto.js uploads looks and sounds as it did`, async () => {
      const sent = await make()
      const { token } = await world.createPerson()
      const rest = createRestAPIClient({ url: base, accessToken: token })
      const file = new File([new Uint8Array(sent)], 'file', { type: name.split(' ')[0]! })
      const media = await rest.v2.media.create({ file, description: name })
      assert.deepEqual([media.type, media.description], [shown, name])
      const { original, small } = media.meta as Partial<Record<'original' | 'small', Record<string, number>>>
      const kept = await look(media.url!)

      if (shown === 'image') {
        const [before, now] = [await pixelsOf(sent), await pixelsOf(kept.file)]
        assert.deepEqual([now.width, now.height], [before.width, before.height])
        assert.deepEqual([original?.['width'], original?.['height']], [before.width, before.height])
        assert.ok(distance(before, now) < MOST_APART, `${distance(before, now)}`)
        assert.equal(kept.type, name === 'image/avif' ? 'image/jpeg' : name.split(' ')[0])
      } else if (shown === 'audio') {
        const [before, now] = [await soundOf(sent), await soundOf(kept.file)]
        assert.ok(Math.abs(now.hertz - 440) < 3 && Math.abs(before.hertz - 440) < 3, `${now.hertz} Hz`)
        assert.ok(Math.abs(now.seconds - before.seconds) < 0.2, `${now.seconds} s`)
        assert.ok(Math.abs(now.loudness / before.loudness - 1) < 0.2, `${now.loudness}`)
        assert.ok(Math.abs(original!['duration']! - before.seconds) < 0.2)
        assert.equal(kept.type, 'audio/mpeg')
      } else {
        const [before, now] = [await framesOf(sent, FILM), await framesOf(kept.file, FILM)]
        assert.deepEqual([original?.['width'], original?.['height']], [128, 96])
        assert.deepEqual([before.length, now.length], [10, 10])
        for (const [n, frame] of now.entries()) {
          const apart = distance(before[n]!, frame)
          assert.ok(apart < MOST_APART, `frame ${n}: ${apart}`)
        }
        assert.ok(distance(now[0]!, now[9]!) > 1, 'it moves')
        assert.equal(kept.type, 'video/mp4')
        if (shown === 'video') assert.ok(Math.abs((await soundOf(kept.file)).hertz - 440) < 3)
      }

      const preview = media.previewUrl ? await look(media.previewUrl) : null
      if (!preview) return assert.ok(shown === 'audio' && !COVERED.includes(name), 'a sound without a cover')
      assert.match(preview.type!, /^image\/(jpeg|png|webp)$/)
      const pixels = await pixelsOf(preview.file)
      assert.deepEqual([small?.['width'], small?.['height']], [pixels.width, pixels.height])
      assert.ok(pixels.width * pixels.height <= 230_400)
      const few = { width: 32, height: 24 }
      const stood = shown === 'image' ? await pixelsOf(sent) : shown === 'audio' ? await red() : await firstOf(sent)
      const apart = distance(await shrink(stood, few), await shrink(pixels, few))
      assert.ok(apart < MOST_APART, `the preview: ${apart}`)
    })
  }
})
