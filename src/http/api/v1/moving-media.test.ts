import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { sql } from 'kysely'
import sharp from 'sharp'
import { multipart } from '../../../../test/client.ts'
import { eventually } from '../../../../test/linnet.ts'
import { makeSample, noFfmpeg, probe, remakeSample, samples, SECRET } from '../../../../test/moving-samples.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person, World } from '../../../../test/world.ts'
import { processMedia } from '../../../domain/media/process.ts'
import type { MediaAttachment } from '../../../entities/media.ts'

const picture = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#a92449' } })
  .jpeg()
  .toBuffer()

type Parts = Parameters<typeof multipart>[0]
const asFile = (bytes: Buffer) => ({ filename: 'a', type: 'text/html', bytes })

async function upload(
  person: Person,
  bytes: Buffer,
  { path = '/api/v2/media', ...rest }: Parts & { path?: string } = {},
) {
  const form = await multipart({ file: asFile(bytes), ...rest })
  return person.client.post<MediaAttachment>(path, form.payload, form.headers)
}

/** Asks for an upload until it is ready, or came to nothing. */
async function wait(person: Person, id: string) {
  let answer = await person.client.get<MediaAttachment>(`/api/v1/media/${id}`)
  await eventually(async () => {
    answer = await person.client.get<MediaAttachment>(`/api/v1/media/${id}`)
    assert.notEqual(answer.status, 206)
  })
  return answer
}

suite('a file that moves or sounds', { skip: noFfmpeg, timeout: 120_000 }, async () => {
  const world = await openWorld()
  after(world.close)
  const fileOf = async (url: string) => (await world.server.inject({ url: new URL(url).pathname })).rawPayload

  for (const [name, args] of Object.entries(samples)) {
    test(`ME2 ME3: ${name} is shown in a kind that every client plays, and nothing that it said of itself is left`, async () => {
      const anna = await world.createPerson()
      const bytes = await makeSample(args)
      const answer = await upload(anna, bytes, { description: 'A second', focus: '0.5,0' })
      assert.equal(answer.status, 202, JSON.stringify(answer.body))
      assertOnWire('MediaAttachment', answer.body)
      assert.deepEqual([answer.body.url, answer.body.description], [null, 'A second'])
      const { status, body } = await wait(anna, answer.body.id)
      assert.equal(status, 200)
      assertOnWire('MediaAttachment', body)
      assert.equal(body.type, answer.body.type)
      const file = await fileOf(body.url!)
      const { streams, format } = await probe(file)
      const codecs = streams.map((one) => one.codec_name)
      const sound = ['mp3', 'flac', 'wav', 'ogg', 'opus', 'webm of sound', 'm4a', 'aac', 'wma'].includes(name)
      if (sound) {
        assert.equal(body.type, 'audio')
        assert.deepEqual([codecs, format.format_name], [['mp3'], 'mp3'])
        assert.deepEqual(Object.keys(body.meta!.original!).toSorted(), ['bitrate', 'duration'])
      } else {
        assert.equal(body.type, name === 'gif' ? 'gifv' : 'video')
        const isSilent = name === 'gif' || name === 'mp4 without a sound'
        assert.deepEqual(codecs, isSilent ? ['h264'] : ['h264', 'aac'])
        assert.equal(streams[0]?.pix_fmt, 'yuv420p')
        const { width, height, frame_rate, bitrate } = body.meta!.original!
        assert.deepEqual([width, height, frame_rate], [128, 96, '10/1'])
        assert.ok(bitrate! > 1_000)
        assert.deepEqual(body.meta?.small, { width: 128, height: 96, size: '128x96', aspect: 128 / 96 })
      }
      assert.ok(Math.abs(body.meta!.original!.duration! - 1) < 0.2, `${body.meta!.original!.duration}`)
      assert.deepEqual(body.meta?.focus, { x: 0.5, y: 0 })
      for (const trace of [SECRET, '52.52']) assert.ok(!file.includes(trace), trace)
      const hasCover = !sound || name === 'mp3'
      assert.equal(body.preview_url !== null, hasCover)
      assert.equal(body.blurhash !== null, hasCover)
      if (!hasCover) return
      const preview = await sharp(await fileOf(body.preview_url!)).metadata()
      assert.deepEqual([preview.width, preview.height], [body.meta?.small?.width, body.meta?.small?.height])
      if (name === 'mp3') assert.deepEqual(body.meta?.colors?.background, '#fd0000')
    })
  }

  test('masto.js uploads one of each kind, waits for it, and posts it', async () => {
    const anna = await world.createPerson()
    const url = await world.listen()
    const rest = createRestAPIClient({ url, accessToken: anna.token })
    const files = { image: picture } as Record<string, Buffer>
    for (const [type, name] of [
      ['video', 'webm'],
      ['audio', 'mp3'],
      ['gifv', 'gif'],
    ] as const)
      files[type] = await makeSample(samples[name])
    for (const [type, bytes] of Object.entries(files)) {
      const media = await rest.v2.media.create({
        file: new Blob([new Uint8Array(bytes)]),
        description: `This is ${type}`,
      })
      assert.deepEqual([media.type, media.url !== null], [type, true])
      const posted = await rest.v1.statuses.create({ status: '', mediaIds: [media.id] })
      assert.deepEqual(
        posted.mediaAttachments.map((one) => [one.type, one.description]),
        [[type, `This is ${type}`]],
      )
    }
  })

  test('the first address answers when all is done', async () => {
    const anna = await world.createPerson()
    const { status, body } = await upload(anna, await makeSample(samples.mp4), { path: '/api/v1/media' })
    assert.deepEqual([status, body.type, body.meta?.original?.frame_rate], [200, 'video', '10/1'])
    assert.ok((await fileOf(body.url!)).length > 1_000)
  })

  test('ME3: a video that was filmed upright stands upright', async () => {
    const anna = await world.createPerson()
    const turned = await remakeSample(await makeSample(samples.mp4), [
      '-c',
      'copy',
      '-metadata:s:v',
      'rotate=90',
      'a.mp4',
    ])
    const { body } = await upload(anna, turned, { path: '/api/v1/media' })
    assert.deepEqual([body.meta?.original?.width, body.meta?.original?.height], [96, 128])
    assert.deepEqual([body.meta?.small?.width, body.meta?.small?.height], [96, 128])
  })

  test('a recording that a browser has written as it came, without a length, is taken', async () => {
    const anna = await world.createPerson()
    const live = await remakeSample(await makeSample(samples.webm), [
      '-c',
      'copy',
      '-live',
      '1',
      '-f',
      'webm',
      'a.webm',
    ])
    const { status, body } = await upload(anna, live, { path: '/api/v1/media' })
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(Math.abs(body.meta!.original!.duration! - 1) < 0.2)
  })

  test('other servers are told its kind, its measures, and the picture that stands for it', async () => {
    const anna = await world.createPerson()
    const { body } = await upload(anna, await makeSample(samples.mp4), {
      path: '/api/v1/media',
      description: 'Bars',
      focus: '0,0.5',
    })
    const posted = await anna.client.post('/api/v1/statuses', { media_ids: [body.id] })
    const { body: note } = await world.anonymous.send({
      url: new URL(posted.body.uri as string).pathname,
      headers: { accept: 'application/activity+json' },
    })
    const duration = `PT${body.meta!.original!.duration!.toFixed(3)}S`
    assert.deepEqual(note.attachment, [
      {
        type: 'Document',
        mediaType: 'video/mp4',
        url: body.url,
        name: 'Bars',
        blurhash: body.blurhash,
        focalPoint: [0, 0.5],
        width: 128,
        height: 96,
        duration,
        icon: { type: 'Image', mediaType: 'image/jpeg', url: body.preview_url },
      },
    ])
  })

  test('a video or a sound stands alone, and gets along with a poll', async () => {
    const anna = await world.createPerson()
    const [video, image] = [
      await upload(anna, await makeSample(samples.mp4), { path: '/api/v1/media' }),
      await upload(anna, picture),
    ]
    const mixed = await anna.client.post('/api/v1/statuses', { media_ids: [video.body.id, image.body.id] })
    assert.deepEqual(
      [mixed.status, mixed.body.error],
      [422, 'Cannot attach a video to a post that already contains images'],
    )
    const gif = await upload(anna, await makeSample(samples.gif), { path: '/api/v1/media' })
    const fine = await anna.client.post('/api/v1/statuses', { media_ids: [gif.body.id, image.body.id] })
    assert.equal(fine.status, 200)
  })

  test('ME4: a playlist under the name of a video, and one within, is refused before anything is opened', async () => {
    const anna = await world.createPerson()
    const playlists = [
      '#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\nfile:///etc/passwd\n',
      'ffconcat version 1.0\nfile /etc/passwd\n',
      'subfile,,start,0,end,100,,:/etc/passwd',
    ]
    const header = Buffer.from('000000186674797069736f6d0000020069736f6d6d703432', 'hex')
    for (const text of playlists) {
      const bare = await upload(anna, Buffer.from(text))
      assert.deepEqual([bare.status, bare.body], [422, { error: 'File type of uploaded media could not be verified' }])
      const hidden = await upload(anna, Buffer.concat([header, Buffer.from(text)]))
      assert.equal(hidden.status, 422)
      const tagged = await upload(anna, Buffer.concat([Buffer.from('OggS'), Buffer.from(text)]))
      assert.equal(tagged.status, 422)
    }
  })

  test('ME1 ME6: what is too fast, too large, too long, or breaks off, is refused with the answer', async () => {
    const anna = await world.createPerson()
    const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', 'a.mp4']
    const film = (source: string) => makeSample(['-f', 'lavfi', '-i', source, ...x264])
    const whole = await remakeSample(await makeSample(samples.mp4), ['-c', 'copy', '-movflags', '+faststart', 'a.mp4'])
    const cases: [string | RegExp, Buffer][] = [
      [
        'Validation failed: File 1000fps videos are not supported',
        await film('color=size=16x16:rate=1000:duration=0.5'),
      ],
      [
        'Validation failed: File 4100x2100 videos are not supported',
        await film('color=size=4100x2100:rate=1:duration=1'),
      ],
      [/36100 frames are more than the 36000 allowed/, await film('color=size=16x16:rate=100:duration=361')],
      [/damaged/, whole.subarray(0, whole.length * 0.6)],
      [/damaged|could not be verified/, whole.subarray(0, 200)],
      [
        /3100 frames are more than the 3000 allowed/,
        await makeSample([
          '-f',
          'lavfi',
          '-i',
          'color=size=16x16:rate=50:duration=62',
          '-gifflags',
          '-transdiff',
          'a.gif',
        ]),
      ],
      [
        /longer than 6 hours/,
        await makeSample(['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '21700', '-c:a', 'flac', 'a.flac']),
      ],
    ]
    for (const [text, bytes] of cases) {
      const { status, body } = await upload(anna, bytes)
      const { error } = body as unknown as { error: string }
      assert.equal(status, 422, error)
      if (typeof text === 'string') assert.equal(error, text)
      else assert.match(error, text)
    }
  })
})

suite('an upload that is worked on', { skip: noFfmpeg, timeout: 60_000 }, async () => {
  const world = await openWorld({ effects: false })
  after(world.close)
  const mp4 = noFfmpeg ? Buffer.alloc(0) : await makeSample(samples.mp4)
  const stored = async () => {
    const all = await readdir(join(world.ctx.config.dataDir, 'media'), { recursive: true, withFileTypes: true })
    return all
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
      .toSorted()
  }

  test('is told with 206, is described meanwhile, and can not be posted before', async () => {
    const anna = await world.createPerson()
    const { body, status } = await upload(anna, mp4)
    assert.deepEqual([status, body.url, body.preview_url], [202, null, null])
    assert.equal((await anna.client.get(`/api/v1/media/${body.id}`)).status, 206)
    const put = await anna.client.put(`/api/v1/media/${body.id}`, { description: 'Bars', focus: '1,1' })
    assert.deepEqual([put.status, put.body.description, put.body.url], [206, 'Bars', null])
    const posted = await anna.client.post('/api/v1/statuses', { media_ids: [body.id] })
    const error = 'Cannot attach files that have not finished processing. Try again in a moment!'
    assert.deepEqual([posted.status, posted.body], [422, { error }])
    await processMedia(world.ctx, { mediaId: body.id })
    const ready = await anna.client.get<MediaAttachment>(`/api/v1/media/${body.id}`)
    assert.deepEqual([ready.status, ready.body.description, ready.body.meta?.focus], [200, 'Bars', { x: 1, y: 1 }])
    assert.equal((await anna.client.post('/api/v1/statuses', { media_ids: [body.id] })).status, 200)
  })

  test('by whoever dies over it is worked on again, and nothing is there twice', async () => {
    const anna = await world.createPerson()
    const before = await stored()
    const { body } = await upload(anna, mp4)
    const dying = { ...world.ctx, write: () => Promise.reject(new Error('killed')) }
    await assert.rejects(processMedia(dying, { mediaId: body.id }), /killed/)
    assert.equal((await anna.client.get(`/api/v1/media/${body.id}`)).status, 206)
    await Promise.all([1, 2].map(() => processMedia(world.ctx, { mediaId: body.id })))
    assert.equal((await anna.client.get(`/api/v1/media/${body.id}`)).status, 200)
    const files = (await stored()).filter((name) => !before.includes(name))
    // The upload itself goes by a job, which nobody does here.
    assert.deepEqual(
      files.map((name) => name.replace(/^[0-9a-f]{32}/, '')),
      ['-small.jpg', '.bin', '.mp4'],
    )
  })

  test('and comes to nothing is told with 422, and can be taken back', async () => {
    const anna = await world.createPerson()
    const { body } = await upload(anna, mp4)
    const open = () => Promise.resolve(null)
    await processMedia({ ...world.ctx, storage: { ...world.ctx.storage, open } }, { mediaId: body.id })
    const failed = await anna.client.get(`/api/v1/media/${body.id}`)
    assert.deepEqual([failed.status, failed.body], [422, { error: 'Error processing thumbnail for uploaded media' }])
    assert.equal((await anna.client.post('/api/v1/statuses', { media_ids: [body.id] })).status, 422)
    assert.deepEqual((await anna.client.delete(`/api/v1/media/${body.id}`)).body, {})
    assert.equal((await anna.client.get(`/api/v1/media/${body.id}`)).status, 404)
  })

  test('and is taken back meanwhile leaves nothing', async () => {
    const anna = await world.createPerson()
    const before = await stored()
    const { body } = await upload(anna, mp4)
    const open: World['ctx']['storage']['open'] = async (input) => {
      await anna.client.delete(`/api/v1/media/${body.id}`)
      return world.ctx.storage.open(input)
    }
    await processMedia({ ...world.ctx, storage: { ...world.ctx.storage, open } }, { mediaId: body.id })
    assert.equal((await anna.client.get(`/api/v1/media/${body.id}`)).status, 404)
    const [name] = (await stored()).filter((one) => !before.includes(one)).map((one) => one.slice(0, 32))
    const jobs = await sql<{ keys: string[] }>`
      select payload -> 'mediaKeys' as keys from graphile_worker._private_jobs
      where payload::text like ${`%${name}%`} order by id`.execute(world.ctx.db)
    const gone = jobs.rows.flatMap(({ keys }) => keys.map((key) => key.replace(/^.+[0-9a-f]{32}/, '')))
    assert.deepEqual(gone, ['.bin', '.mp4', '-small.jpg'])
  })
})

test('where ffmpeg is absent, videos and sounds are refused and not offered, and a GIF stays one', async () => {
  const world = await openWorld({ env: { FFMPEG_BINARY: '/nowhere/ffmpeg' } })
  try {
    const anna = await world.createPerson()
    const mp4 = Buffer.from('000000186674797069736f6d0000020069736f6d6d703432', 'hex')
    for (const path of ['/api/v1/media', '/api/v2/media']) {
      const { status, body } = await upload(anna, mp4, { path })
      const error = 'Validation failed: File is a video or a sound, which this server does not take'
      assert.deepEqual([status, body], [422, { error }])
    }
    const { body } = await world.anonymous.get('/api/v2/instance')
    const { supported_mime_types: types, video_size_limit: most } = body.configuration.media_attachments
    assert.deepEqual([types.every((type: string) => type.startsWith('image/')), most], [true, 0])
    const raw = { width: 8, height: 16, channels: 3, pageHeight: 8 } as const
    const gif = await sharp(Buffer.alloc(8 * 16 * 3, 'ab'), { raw })
      .gif({ delay: [100, 100] })
      .toBuffer()
    const kept = await upload(anna, gif)
    assert.deepEqual([kept.status, kept.body.type], [200, 'image'])
    assert.match(kept.body.url!, /\.gif$/)
  } finally {
    await world.close()
  }
})

test('where ffmpeg is there, it is offered what it takes', { skip: noFfmpeg }, async () => {
  const world = await openWorld()
  try {
    const { body } = await world.anonymous.get('/api/v2/instance')
    const { supported_mime_types: types, ...limits } = body.configuration.media_attachments
    for (const type of ['image/avif', 'video/mp4', 'video/webm', 'audio/mpeg', 'audio/flac'])
      assert.ok(types.includes(type))
    assert.ok(!types.includes('image/heic'))
    assert.deepEqual(
      [limits.video_size_limit, limits.video_frame_rate_limit, limits.video_matrix_limit],
      [103_809_024, 120, 8_294_400],
    )
  } finally {
    await world.close()
  }
})
