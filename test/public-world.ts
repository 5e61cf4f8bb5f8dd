import { sql } from 'kysely'
import sharp from 'sharp'
import type { Status } from '../src/entities/status.ts'
import { multipart } from './client.ts'
import { makeRemote, makeRemoteStatus } from './remote.ts'
import type { Person, World } from './world.ts'

/** Paths of pages that show something of everything, and of some that show nothing. */
export interface PublicPlaces {
  [name: string]: string
}

const COLOURS = [
  [46, 111, 87],
  [201, 128, 58],
  [90, 74, 138],
  [179, 41, 78],
] as const

/** Sky, and ground below a slope. */
async function picture(colour: number, { width, height }: { width: number; height: number }): Promise<Buffer> {
  const [sky, ground] = [COLOURS[colour % 4]!, COLOURS[(colour + 1) % 4]!]
  const pixels = Buffer.alloc(width * height * 3)
  for (let place = 0; place < width * height; place += 1) {
    const [x, y] = [place % width, Math.floor(place / width)]
    pixels.set(y > height * (0.55 + (0.25 * x) / width) ? ground : sky, place * 3)
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer()
}

/** Fills a world with people who show all that pages can show, in several writings. */
export async function fillPublicWorld(world: World): Promise<PublicPlaces> {
  const upload = async (person: Person, colour: number, description: string) => {
    const bytes = await picture(colour, { width: 1200, height: 700 })
    const { payload, headers } = await multipart({
      file: { filename: 'a.jpg', type: 'image/jpeg', bytes },
      description,
    })
    return (await person.client.post('/api/v2/media', payload, headers)).body.id as string
  }
  const post = async (person: Person, text: string, more: Record<string, unknown> = {}): Promise<Status> => {
    const { status, body } = await person.client.post('/api/v1/statuses', {
      status: text,
      visibility: 'public',
      ...more,
    })
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
    return body as Status
  }
  const owner = await world.createPerson({ username: 'wren', displayName: 'Wren Alder', role: 'owner' })
  const ada = await world.createPerson({ username: 'ada' })
  const bo = await world.createPerson({ username: 'bo', displayName: '山田 太郎 🌸' })
  const dalia = await world.createPerson({ username: 'dalia', displayName: 'داليا الخطيب' })
  const long = await world.createPerson({
    username: 'averyveryverylongusername_1234',
    displayName: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  })
  await world.createPerson({ username: 'empty', displayName: '' })

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
    avatar: { filename: 'a.jpg', type: 'image/jpeg', bytes: await picture(3, { width: 400, height: 400 }) },
    header: { filename: 'h.jpg', type: 'image/jpeg', bytes: await picture(1, { width: 1500, height: 500 }) },
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
  const far = await makeRemote(world.ctx, { displayName: 'Far Away' })
  await makeRemoteStatus(world.ctx, { accountId: far, content: '<p>May I come, too?</p>', inReplyTo: answer.uri })
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
  const mover = await world.createPerson({ username: 'mover', displayName: 'Moved Person' })
  const lost = await world.createPerson({ username: 'limited', displayName: 'Loud Person' })
  const gone = await world.createPerson({ username: 'gone', displayName: 'Gone Person' })
  const late = await world.createPerson({ username: 'late', displayName: 'Late Person' })
  for (const person of [mover, lost, gone, late]) await post(person, `Said by ${person.username}`)
  const set = (person: Person, values: Record<string, unknown>) =>
    world.ctx.db
      .updateTable('accounts')
      .set({ ...values, version: sql`version + 1` })
      .where('id', '=', person.accountId)
      .execute()
  await set(mover, { moved_to_account_id: ada.accountId })
  await set(lost, { silenced_at: new Date() })
  await set(gone, { suspended_at: new Date() })
  await set(late, { memorial: true })
  // Whoever verifies links finds nothing there, and says so.
  await world.settle()
  await set(ada, { fields: JSON.stringify(await verifiedFields(world, ada)) })
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
    missing: `/@ada/${owner.accountId}`,
  }
}

async function verifiedFields(world: World, { accountId }: Person): Promise<object[]> {
  const { fields } = await world.ctx.db
    .selectFrom('accounts')
    .select('fields')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return (fields as object[]).map((field, place) => (place === 0 ? { ...field, verified_at: new Date() } : field))
}
