import { sql } from 'kysely'
import sharp from 'sharp'
import type { Status } from '../../../src/entities/statuses/status.ts'
import { multipart } from '../client.ts'
import { createRemoteAccount, createRemoteStatus } from '../../federation/remote-records.ts'
import { createCollection } from '../../features/collections.ts'
import { limit, suspend } from '../../features/moderation.ts'
import type { TestUser, TestServer } from '../../servers/test-server.ts'

/** The paths of sample pages, by name. */
export interface PublicPaths {
  [name: string]: string
}

const COLOURS = [
  [46, 111, 87],
  [201, 128, 58],
  [90, 74, 138],
  [179, 41, 78],
] as const

/** Draws a landscape: a sky, and ground below a slope. */
async function drawLandscape(colour: number, { width, height }: { width: number; height: number }): Promise<Buffer> {
  const [sky, ground] = [COLOURS[colour % 4]!, COLOURS[(colour + 1) % 4]!]
  const pixels = Buffer.alloc(width * height * 3)
  for (let index = 0; index < width * height; index += 1) {
    const [x, y] = [index % width, Math.floor(index / width)]
    pixels.set(y > height * (0.55 + (0.25 * x) / width) ? ground : sky, index * 3)
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer()
}

/** Creates accounts and posts with all that public pages can show, in several scripts. Returns the paths of pages. */
export async function createPublicPageData(testServer: TestServer): Promise<PublicPaths> {
  const upload = async (user: TestUser, colour: number, description: string) => {
    const bytes = await drawLandscape(colour, { width: 1200, height: 700 })
    const { payload, headers } = await multipart({
      file: { filename: 'a.jpg', type: 'image/jpeg', bytes },
      description,
    })
    return (await user.client.post('/api/v2/media', payload, headers)).body.id as string
  }
  const post = async (user: TestUser, text: string, more: Record<string, unknown> = {}): Promise<Status> => {
    const { status, body } = await user.client.post('/api/v1/statuses', {
      status: text,
      visibility: 'public',
      ...more,
    })
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
    return body as Status
  }
  const owner = await testServer.createUser({ username: 'wren', displayName: 'Wren Alder', role: 'owner' })
  const ada = await testServer.createUser({ username: 'ada' })
  const bo = await testServer.createUser({ username: 'bo', displayName: '山田 太郎 🌸' })
  const dalia = await testServer.createUser({ username: 'dalia', displayName: 'داليا الخطيب' })
  const long = await testServer.createUser({
    username: 'averyveryverylongusername_1234',
    displayName: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  })
  await testServer.createUser({ username: 'empty', displayName: '' })

  const profile = await multipart({
    display_name: 'Ada Finch',
    note: 'Watches birds, mends bicycles.\n\nPosts about #birds mostly; ask @bo about https://example.org/a/very/long/address/that/is/cut',
    discoverable: 'true',
    indexable: 'true',
    locked: 'true',
    'fields_attributes[0][name]': 'Site',
    'fields_attributes[0][value]': 'https://ada.example/',
    'fields_attributes[1][name]': 'Pronouns',
    'fields_attributes[1][value]': 'she/her',
    'fields_attributes[2][name]': 'Averyveryveryverylonglabelwithoutanyblankatall',
    'fields_attributes[2][value]': 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz',
    avatar_description: 'A finch on a saddle',
    header_description: 'Hills in the evening',
    avatar: { filename: 'a.jpg', type: 'image/jpeg', bytes: await drawLandscape(3, { width: 400, height: 400 }) },
    header: { filename: 'h.jpg', type: 'image/jpeg', bytes: await drawLandscape(1, { width: 1500, height: 500 }) },
  })
  await ada.client.send({
    method: 'PATCH',
    url: '/api/v1/accounts/update_credentials',
    payload: profile.payload,
    headers: profile.headers,
  })

  const pinned = await post(ada, 'I am Ada. I post about #birds, and this post is pinned.')
  await ada.client.post(`/api/v1/statuses/${pinned.id}/pin`)
  const walk = await post(ada, 'The first swifts of the year! #birds #spring', {
    media_ids: [await upload(ada, 0, 'A meadow under a green sky'), await upload(ada, 1, '')],
  })
  await post(ada, 'Something that not everybody wants to see.', {
    media_ids: [await upload(ada, 2, 'A spider, very near')],
    sensitive: true,
  })
  await post(ada, 'It was a spider.\n\nA large one.', { spoiler_text: 'Spiders 🕷️' })
  await post(ada, 'Which bird is it?', {
    poll: { options: ['Swift', 'Swallow', 'A very long option that goes on and on'], expires_in: 3600 },
    visibility: 'unlisted',
  })
  const root = await post(bo, '今日は良い天気です。散歩に行きましょう！ #散歩')
  await ada.client.post(`/api/v1/statuses/${root.id}/reblog`)
  const answer = await post(ada, '@bo Yes, let us go for a walk.', { in_reply_to_id: root.id })
  const middle = await post(bo, '@ada 十時に駅で会いましょう。', { in_reply_to_id: answer.id })
  const fromDalia = await post(dalia, '@ada مرحبا! هل يمكنني أن آتي معكم؟ I would bring #cake.', {
    in_reply_to_id: answer.id,
  })
  await post(ada, '@dalia Of course!', { in_reply_to_id: fromDalia.id })
  await post(bo, '@ada もちろん', { in_reply_to_id: middle.id, spoiler_text: '返事' })
  await post(ada, 'And I bring binoculars.', { in_reply_to_id: answer.id })
  const remote = await createRemoteAccount(testServer.ctx, { displayName: 'Far Away' })
  await createRemoteStatus(testServer.ctx, {
    accountId: remote,
    content: '<p>May I come, too?</p>',
    inReplyTo: answer.uri,
  })
  const edited = await post(ada, 'I saw three swift above the old bridge, and one black bird.', {
    spoiler_text: '',
    media_ids: [await upload(ada, 3, 'A bridge')],
  })
  const [bridge] = edited.media_attachments
  await ada.client.put(`/api/v1/statuses/${edited.id}`, {
    status: 'I saw three swifts above the old bridge, and one blackbird.',
    media_ids: [bridge!.id],
    media_attributes: [{ id: bridge!.id, description: 'The old bridge, with swifts' }],
  })
  await ada.client.put(`/api/v1/statuses/${edited.id}`, {
    status: 'I saw four swifts above the bridge, and one blackbird. #birds',
    spoiler_text: 'Birds',
  })
  await post(ada, 'Bo knows best:', { quoted_status_id: root.id })
  await post(bo, '@ada これは？', { quoted_status_id: walk.id, in_reply_to_id: answer.id })
  for (const text of ['A_word_'.repeat(60), 'https://example.org/' + 'path/'.repeat(60), 'Z̷̢̛͎a̵̡̛l̶̢g̸̛o̶ '.repeat(10)]) {
    await post(long, text)
  }
  for (let n = 0; n < 22; n += 1) await post(dalia, `منشور رقم ${n}`)
  await ada.client.post('/api/v1/featured_tags', { name: 'birds' })
  await ada.client.post('/api/v1/featured_tags', { name: 'spring' })
  const mover = await testServer.createUser({ username: 'mover', displayName: 'Moved Person' })
  const limited = await testServer.createUser({ username: 'limited', displayName: 'Loud Person' })
  const gone = await testServer.createUser({ username: 'gone', displayName: 'Gone Person' })
  const memorial = await testServer.createUser({ username: 'late', displayName: 'Late Person' })
  for (const user of [mover, limited, gone, memorial]) await post(user, `Said by ${user.username}`)
  const set = (user: TestUser, values: Record<string, unknown>) =>
    testServer.ctx.db
      .updateTable('accounts')
      .set({ ...values, version: sql`version + 1` })
      .where('id', '=', user.accountId)
      .execute()
  await set(mover, { moved_to_account_id: ada.accountId })
  await limit(testServer.ctx, limited)
  await suspend(testServer.ctx, gone)
  await set(memorial, { memorial: true })
  const collect = async (more: Record<string, unknown>): Promise<string> =>
    (await createCollection(owner, { description: 'People who watch birds', language: 'en', ...more })).id
  for (const user of [bo, dalia, long])
    await user.client.patch('/api/v1/accounts/update_credentials', {
      discoverable: true,
      note: 'Watches birds. '.repeat(12),
    })
  const members = [ada, bo, dalia, long].map(({ accountId }) => accountId)
  const collection = await collect({ name: 'Birders', tag_name: 'birds', account_ids: members })
  const sensitiveCollection = await collect({ name: 'عناكب', sensitive: true, account_ids: members.slice(1, 2) })
  // The job that verifies the profile links finds none and overwrites `fields`; wait for it first.
  await testServer.waitForJobs()
  await set(ada, { fields: JSON.stringify(await verifiedFields(testServer, ada)) })
  return {
    landing: '/',
    about: '/about',
    profile: '/@ada',
    replies: '/@ada/with_replies',
    media: '/@ada/media',
    tagged: '/@ada/tagged/birds',
    many: '/@dalia',
    empty: '/@empty',
    long: `/@${long.username}`,
    moved: '/@mover',
    limited: '/@limited',
    suspended: '/@gone',
    memorial: '/@late',
    post: `/@ada/${walk.id}`,
    thread: `/@ada/${answer.id}`,
    history: `/@ada/${edited.id}/history`,
    embed: `/@ada/${edited.id}/embed`,
    tag: '/tags/birds',
    tagWithout: '/tags/nothing',
    collection: `/collections/${collection}`,
    sensitiveCollection: `/collections/${sensitiveCollection}`,
    missing: `/@ada/${owner.accountId}`,
  }
}

async function verifiedFields(testServer: TestServer, { accountId }: TestUser): Promise<object[]> {
  const { fields } = await testServer.ctx.db
    .selectFrom('accounts')
    .select('fields')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return (fields as object[]).map((field, index) => (index === 0 ? { ...field, verified_at: new Date() } : field))
}
