import assert from 'node:assert/strict'
import type { mastodon } from 'masto'
import sharp from 'sharp'
import type { Pair, Resident } from './pair.ts'
import { playPollsAndQuotes } from './polls-and-quotes.ts'
import { arrives, find, hears, home, notices } from './seeing.ts'
import { step } from './step.ts'
import { until } from './until.ts'

type Status = mastodon.v1.Status

const VISIBILITIES = ['public', 'unlisted', 'private', 'direct'] as const

/** One posts in every visibility, the others read what is for them, answer, and take back. */
export async function playMeeting(pair: Pair): Promise<void> {
  step(`Two servers are up: ${pair.a.seconds.toFixed(2)} s and ${pair.b.seconds.toFixed(2)} s`)
  const alice = await pair.settle(pair.a, 'alice', 'a.test')
  const bob = await pair.settle(pair.b, 'bob', 'b.test')
  const eve = await pair.settle(pair.b, 'eve', 'b.test')
  try {
    await talk(alice, bob, eve)
    step('The other way round')
    const carol = await pair.settle(pair.a, 'carol', 'a.test')
    const dave = await pair.settle(pair.b, 'dave', 'b.test')
    await talk(dave, carol, await pair.settle(pair.a, 'erin', 'a.test'))
    for (const one of [carol, dave]) one.close()
  } finally {
    for (const one of [alice, bob, eve]) one.close()
  }
  step('Both servers hold the same')
}

/** `author` is on one server, `reader` and `stranger` on the other. */
async function talk(author: Resident, reader: Resident, stranger: Resident): Promise<void> {
  await author.api.v1.accounts.updateCredentials({ locked: true })
  const found = await find(reader, author.handle)
  step(`${reader.handle} finds ${author.handle}: ${found.acct}`)
  const early = await author.api.v1.statuses.create({ status: 'Before anybody followed', visibility: 'private' })
  await reader.api.v1.accounts.$select(found.id).follow()
  const request = await until('the request', async () => (await author.api.v1.followRequests.list())[0])
  assert.equal(request.acct, reader.handle.slice(1))
  assert.ok(!(await home(reader)).some((status) => (status.content ?? '').includes('Before anybody')))
  await author.api.v1.followRequests.$select(request.id).authorize()
  await until('the accepted follow', async () => {
    const [relation] = await reader.api.v1.accounts.relationships.fetch({ id: [found.id] })
    return relation?.following && !relation.requested
  })
  step(`${author.name} is asked and accepts; ${reader.name} follows, and saw nothing private before`)
  await author.api.v1.statuses.$select(early.id).remove()

  const known = await find(stranger, author.handle)
  assert.equal(known.id, found.id)
  const here = await find(author, reader.handle)
  const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#31598a' } })
    .png()
    .toBuffer()
  const posts = new Map<string, Status>()
  for (const visibility of VISIBILITIES) {
    const media = await author.api.v2.media.create({
      file: new File([new Uint8Array(bytes)], 'lake.png', { type: 'image/png' }),
      description: `A lake, ${visibility}`,
    })
    const status = `${visibility} words of ${author.name}${visibility === 'direct' ? ` for @${here.acct}` : ' #lake'}`
    posts.set(visibility, await author.api.v1.statuses.create({ status, visibility, mediaIds: [media.id] }))
  }
  for (const visibility of VISIBILITIES) {
    const copy = await arrives(reader, `${visibility} words of ${author.name}`)
    assert.equal(copy.visibility, visibility)
    assert.equal(copy.uri, posts.get(visibility)!.uri)
    assert.equal(copy.mediaAttachments[0]?.description, `A lake, ${visibility}`)
    await hears(reader, `${visibility} words of ${author.name}`)
  }
  await notices(reader, 'mention', author)
  step('Public, unlisted, followers-only and direct arrive with their pictures, in the timeline and on the stream')

  const seen = await stranger.api.v1.accounts.$select(known.id).statuses.list()
  const shown = seen.map(({ visibility }) => visibility).toSorted()
  assert.deepEqual(shown, ['public', 'unlisted'])
  const direct = await arrives(reader, `direct words of ${author.name}`)
  await assert.rejects(stranger.api.v1.statuses.$select(direct.id).fetch(), /Record not found/)
  step(`${stranger.name}, on the same server, sees what is for everybody and nothing else`)

  const copy = await arrives(reader, `public words of ${author.name}`)
  const original = posts.get('public')!
  const reply = await reader.api.v1.statuses.create({
    status: `@${found.acct} an answer by ${reader.name}`,
    inReplyToId: copy.id,
  })
  await reader.api.v1.statuses.$select(copy.id).favourite()
  const boost = await reader.api.v1.statuses.$select(copy.id).reblog()
  for (const type of ['mention', 'favourite', 'reblog']) await notices(author, type, reader)
  await until('the counters', async () => {
    const { favouritesCount, reblogsCount, repliesCount } = await author.api.v1.statuses.$select(original.id).fetch()
    return favouritesCount === 1 && reblogsCount === 1 && repliesCount === 1
  })
  const { descendants } = await author.api.v1.statuses.$select(original.id).context.fetch()
  assert.deepEqual(
    descendants.map(({ uri }) => uri),
    [reply.uri],
  )
  step(`${reader.name} answers, favourites and boosts; ${author.name} is told and sees it`)

  await reader.api.v1.statuses.$select(copy.id).unfavourite()
  await reader.api.v1.statuses.$select(copy.id).unreblog()
  await reader.api.v1.statuses.$select(reply.id).remove()
  await until('everything taken back', async () => {
    const { favouritesCount, reblogsCount, repliesCount } = await author.api.v1.statuses.$select(original.id).fetch()
    return favouritesCount === 0 && reblogsCount === 0 && repliesCount === 0
  })
  await assert.rejects(reader.api.v1.statuses.$select(boost.id).fetch(), /Record not found/)
  step('All of it is taken back, on both sides')

  await author.api.v1.statuses.$select(original.id).update({ status: `changed words of ${author.name}` })
  const changed = await arrives(reader, `changed words of ${author.name}`)
  assert.equal(changed.id, copy.id)
  assert.ok(changed.editedAt)
  const history = await reader.api.v1.statuses.$select(changed.id).history.list()
  assert.equal(history.length, 2)
  step(`${author.name} edits, and ${reader.name} has the new words and the old ones in its history`)

  await playPollsAndQuotes({ author, reader, copy: changed, original })

  for (const status of posts.values()) await author.api.v1.statuses.$select(status.id).remove()
  await until('everything deleted', async () =>
    (await home(reader)).every((status) => status.account.username !== author.name),
  )
  await assert.rejects(reader.api.v1.statuses.$select(copy.id).fetch(), /Record not found/)
  step(`${author.name} deletes, and it is gone on the other server too`)

  await reader.api.v1.accounts.$select(found.id).unfollow()
  await until('the end of the follow', async () => {
    const [relation] = await author.api.v1.accounts.relationships.fetch({ id: [here.id] })
    return relation?.followedBy === false
  })
  step(`${reader.name} unfollows, and ${author.name}'s server knows`)
}
