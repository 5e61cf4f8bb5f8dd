// Slow: converts media.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import sharp from 'sharp'
import { makeSample, noFfmpeg, remakeSample, SAMPLE_ARGUMENTS } from '../../../../../test/media/audio-video-samples.ts'
import { uploadFile } from '../../../../../test/http/upload-file.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'

const imageFile = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#a92449' } })
  .jpeg()
  .toBuffer()

suite('an upload of video or audio', { skip: noFfmpeg, timeout: 300_000 }, async () => {
  const testServer = await openTestServer()
  after(testServer.close)
  const fileOf = async (url: string) => (await testServer.server.inject({ url: new URL(url).pathname })).rawPayload

  test('masto.js uploads and posts each media type', async () => {
    const anna = await testServer.createUser()
    const url = await testServer.listen()
    const rest = createRestAPIClient({ url, accessToken: anna.token })
    const files = { image: imageFile } as Record<string, Buffer>
    for (const [type, name] of [
      ['video', 'webm'],
      ['audio', 'mp3'],
      ['gifv', 'gif'],
    ] as const)
      files[type] = await makeSample(SAMPLE_ARGUMENTS[name])
    for (const [type, bytes] of Object.entries(files)) {
      const media = await rest.v2.media.create({
        file: new Blob([new Uint8Array(bytes)]),
        description: `This is ${type}`,
      })
      assert.deepEqual([media.type, media.url !== null], [type, true])
      const posted = await rest.v1.statuses.create({ status: '', mediaIds: [media.id] })
      assert.deepEqual(
        posted.mediaAttachments.map((attachment) => [attachment.type, attachment.description]),
        [[type, `This is ${type}`]],
      )
    }
  })

  test('POST /api/v1/media responds when the processing is done', async () => {
    const anna = await testServer.createUser()
    const { status, body } = await uploadFile(anna, await makeSample(SAMPLE_ARGUMENTS.mp4), { path: '/api/v1/media' })
    assert.deepEqual([status, body.type, body.meta?.original?.frame_rate], [200, 'video', '10/1'])
    assert.ok((await fileOf(body.url!)).length > 1_000)
  })

  test('ME3: a video with rotation metadata is upright', async () => {
    const anna = await testServer.createUser()
    const turned = await remakeSample(await makeSample(SAMPLE_ARGUMENTS.mp4), [
      '-c',
      'copy',
      '-metadata:s:v',
      'rotate=90',
      'a.mp4',
    ])
    const { body } = await uploadFile(anna, turned, { path: '/api/v1/media' })
    assert.deepEqual([body.meta?.original?.width, body.meta?.original?.height], [96, 128])
    assert.deepEqual([body.meta?.small?.width, body.meta?.small?.height], [96, 128])
  })

  test('a live recording of a browser without a duration is accepted', async () => {
    const anna = await testServer.createUser()
    const live = await remakeSample(await makeSample(SAMPLE_ARGUMENTS.webm), [
      '-c',
      'copy',
      '-live',
      '1',
      '-f',
      'webm',
      'a.webm',
    ])
    const { status, body } = await uploadFile(anna, live, { path: '/api/v1/media' })
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(Math.abs(body.meta!.original!.duration! - 1) < 0.2)
  })

  test('the ActivityPub attachment has media type, dimensions, duration and preview', async () => {
    const anna = await testServer.createUser()
    const { body } = await uploadFile(anna, await makeSample(SAMPLE_ARGUMENTS.mp4), {
      path: '/api/v1/media',
      description: 'Bars',
      focus: '0,0.5',
    })
    const posted = await anna.client.post('/api/v1/statuses', { media_ids: [body.id] })
    const { body: note } = await testServer.anonymous.send({
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

  test('a video must be the only attachment of a status, an animated GIF need not', async () => {
    const anna = await testServer.createUser()
    const [video, image] = [
      await uploadFile(anna, await makeSample(SAMPLE_ARGUMENTS.mp4), { path: '/api/v1/media' }),
      await uploadFile(anna, imageFile),
    ]
    const mixed = await anna.client.post('/api/v1/statuses', { media_ids: [video.body.id, image.body.id] })
    assert.deepEqual(
      [mixed.status, mixed.body.error],
      [422, 'Cannot attach a video to a post that already contains images'],
    )
    const gif = await uploadFile(anna, await makeSample(SAMPLE_ARGUMENTS.gif), { path: '/api/v1/media' })
    const accepted = await anna.client.post('/api/v1/statuses', { media_ids: [gif.body.id, image.body.id] })
    assert.equal(accepted.status, 200)
  })

  test('ME4: a playlist sent as a video or inside a container is rejected', async () => {
    const anna = await testServer.createUser()
    const playlists = [
      '#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\nfile:///etc/passwd\n',
      'ffconcat version 1.0\nfile /etc/passwd\n',
      'subfile,,start,0,end,100,,:/etc/passwd',
    ]
    const header = Buffer.from('000000186674797069736f6d0000020069736f6d6d703432', 'hex')
    for (const text of playlists) {
      const plainText = await uploadFile(anna, Buffer.from(text))
      assert.deepEqual(
        [plainText.status, plainText.body],
        [422, { error: 'File type of uploaded media could not be verified' }],
      )
      const hidden = await uploadFile(anna, Buffer.concat([header, Buffer.from(text)]))
      assert.equal(hidden.status, 422)
      const tagged = await uploadFile(anna, Buffer.concat([Buffer.from('OggS'), Buffer.from(text)]))
      assert.equal(tagged.status, 422)
    }
  })

  test('ME1 ME6: a file with too many frames, too large, too long or damaged is rejected in the response', async () => {
    const anna = await testServer.createUser()
    const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', 'a.mp4']
    const makeVideo = (source: string) => makeSample(['-f', 'lavfi', '-i', source, ...x264])
    const whole = await remakeSample(await makeSample(SAMPLE_ARGUMENTS.mp4), [
      '-c',
      'copy',
      '-movflags',
      '+faststart',
      'a.mp4',
    ])
    const cases: [string | RegExp, Buffer][] = [
      [
        'Validation failed: File 1000fps videos are not supported',
        await makeVideo('color=size=16x16:rate=1000:duration=0.5'),
      ],
      [
        'Validation failed: File 4100x2100 videos are not supported',
        await makeVideo('color=size=4100x2100:rate=1:duration=1'),
      ],
      [/36100 frames are more than the 36000 allowed/, await makeVideo('color=size=16x16:rate=100:duration=361')],
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
      const { status, body } = await uploadFile(anna, bytes)
      const { error } = body as unknown as { error: string }
      assert.equal(status, 422, error)
      if (typeof text === 'string') assert.equal(error, text)
      else assert.match(error, text)
    }
  })
})
