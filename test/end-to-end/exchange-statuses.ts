import assert from 'node:assert/strict'
import type { mastodon } from 'masto'
import sharp from 'sharp'
import type { ServerPair, ClientUser } from './server-pair.ts'
import { exchangePollsAndQuotes } from './polls-and-quotes.ts'
import { waitForStatus, findAccount, waitForEvent, readHome, waitForNotification } from './wait-for-client.ts'
import { logStep } from './step.ts'
import { until } from './until.ts'

type Status = mastodon.v1.Status

const VISIBILITIES = ['public', 'unlisted', 'private', 'direct'] as const

/** One user posts in every visibility; the others read what is visible to them, interact, and undo the interactions. */
export async function exchangeStatuses(pair: ServerPair): Promise<void> {
  logStep(`Two servers are up: ${pair.a.seconds.toFixed(2)} s and ${pair.b.seconds.toFixed(2)} s`)
  const alice = await pair.createUser(pair.a, 'alice', 'a.test')
  const bob = await pair.createUser(pair.b, 'bob', 'b.test')
  const eve = await pair.createUser(pair.b, 'eve', 'b.test')
  try {
    await exchangeBetween(alice, bob, eve)
    logStep('The same in the other direction')
    const carol = await pair.createUser(pair.a, 'carol', 'a.test')
    const dave = await pair.createUser(pair.b, 'dave', 'b.test')
    await exchangeBetween(dave, carol, await pair.createUser(pair.a, 'erin', 'a.test'))
    for (const one of [carol, dave]) one.close()
  } finally {
    for (const one of [alice, bob, eve]) one.close()
  }
  logStep('Both servers have the same data')
}

/** `author` is on one server, `reader` and `otherUser` on the other. */
async function exchangeBetween(author: ClientUser, reader: ClientUser, otherUser: ClientUser): Promise<void> {
  await author.api.v1.accounts.updateCredentials({ locked: true })
  const found = await findAccount(reader, author.handle)
  logStep(`${reader.handle} finds ${author.handle}: ${found.acct}`)
  const early = await author.api.v1.statuses.create({ status: 'Before the first follow', visibility: 'private' })
  await reader.api.v1.accounts.$select(found.id).follow()
  const request = await until('the request', async () => (await author.api.v1.followRequests.list())[0])
  assert.equal(request.acct, reader.handle.slice(1))
  assert.ok(!(await readHome(reader)).some((status) => (status.content ?? '').includes('Before the first')))
  await author.api.v1.followRequests.$select(request.id).authorize()
  await until('the accepted follow', async () => {
    const [relation] = await reader.api.v1.accounts.relationships.fetch({ id: [found.id] })
    return relation?.following && !relation.requested
  })
  logStep(`${author.name} accepts the follow request of ${reader.name}, who saw no earlier private post`)
  await author.api.v1.statuses.$select(early.id).remove()

  const known = await findAccount(otherUser, author.handle)
  assert.equal(known.id, found.id)
  const readerAccount = await findAccount(author, reader.handle)
  const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#31598a' } })
    .png()
    .toBuffer()
  const posts = new Map<string, Status>()
  for (const visibility of VISIBILITIES) {
    const media = await author.api.v2.media.create({
      file: new File([new Uint8Array(bytes)], 'lake.png', { type: 'image/png' }),
      description: `A lake, ${visibility}`,
    })
    const status = `${visibility} words of ${author.name}${visibility === 'direct' ? ` for @${readerAccount.acct}` : ' #lake'}`
    posts.set(visibility, await author.api.v1.statuses.create({ status, visibility, mediaIds: [media.id] }))
  }
  for (const visibility of VISIBILITIES) {
    const copy = await waitForStatus(reader, `${visibility} words of ${author.name}`)
    assert.equal(copy.visibility, visibility)
    assert.equal(copy.uri, posts.get(visibility)!.uri)
    assert.equal(copy.mediaAttachments[0]?.description, `A lake, ${visibility}`)
    await waitForEvent(reader, `${visibility} words of ${author.name}`)
  }
  await waitForNotification(reader, 'mention', author)
  logStep('Public, unlisted, followers-only and direct posts arrive with images, in the timeline and on the stream')

  const seen = await otherUser.api.v1.accounts.$select(known.id).statuses.list()
  const shown = seen.map(({ visibility }) => visibility).toSorted()
  assert.deepEqual(shown, ['public', 'unlisted'])
  const direct = await waitForStatus(reader, `direct words of ${author.name}`)
  await assert.rejects(otherUser.api.v1.statuses.$select(direct.id).fetch(), /Record not found/)
  logStep(`${otherUser.name}, on the same server, sees the public and unlisted posts only`)

  const copy = await waitForStatus(reader, `public words of ${author.name}`)
  const original = posts.get('public')!
  const reply = await reader.api.v1.statuses.create({
    status: `@${found.acct} an answer by ${reader.name}`,
    inReplyToId: copy.id,
  })
  await reader.api.v1.statuses.$select(copy.id).favourite()
  const reblog = await reader.api.v1.statuses.$select(copy.id).reblog()
  for (const type of ['mention', 'favourite', 'reblog']) await waitForNotification(author, type, reader)
  await until('the counters', async () => {
    const { favouritesCount, reblogsCount, repliesCount } = await author.api.v1.statuses.$select(original.id).fetch()
    return favouritesCount === 1 && reblogsCount === 1 && repliesCount === 1
  })
  const { descendants } = await author.api.v1.statuses.$select(original.id).context.fetch()
  assert.deepEqual(
    descendants.map(({ uri }) => uri),
    [reply.uri],
  )
  logStep(`${reader.name} replies, favourites and reblogs; ${author.name} is notified and sees the counters`)

  await reader.api.v1.statuses.$select(copy.id).unfavourite()
  await reader.api.v1.statuses.$select(copy.id).unreblog()
  await reader.api.v1.statuses.$select(reply.id).remove()
  await until('every undo', async () => {
    const { favouritesCount, reblogsCount, repliesCount } = await author.api.v1.statuses.$select(original.id).fetch()
    return favouritesCount === 0 && reblogsCount === 0 && repliesCount === 0
  })
  await assert.rejects(reader.api.v1.statuses.$select(reblog.id).fetch(), /Record not found/)
  logStep('Every interaction is undone on both servers')

  await author.api.v1.statuses.$select(original.id).update({ status: `changed words of ${author.name}` })
  const changed = await waitForStatus(reader, `changed words of ${author.name}`)
  assert.equal(changed.id, copy.id)
  assert.ok(changed.editedAt)
  const history = await reader.api.v1.statuses.$select(changed.id).history.list()
  assert.equal(history.length, 2)
  logStep(`${author.name} edits; ${reader.name} sees the new text, and the old one in the history`)

  await exchangePollsAndQuotes({ author, reader, copy: changed, original })

  for (const status of posts.values()) await author.api.v1.statuses.$select(status.id).remove()
  await until('everything deleted', async () =>
    (await readHome(reader)).every((status) => status.account.username !== author.name),
  )
  await assert.rejects(reader.api.v1.statuses.$select(copy.id).fetch(), /Record not found/)
  logStep(`${author.name} deletes the posts, and the other server deletes its copies`)

  await reader.api.v1.accounts.$select(found.id).unfollow()
  await until('the end of the follow', async () => {
    const [relation] = await author.api.v1.accounts.relationships.fetch({ id: [readerAccount.id] })
    return relation?.followedBy === false
  })
  logStep(`${reader.name} unfollows, and ${author.name}'s server removes the follow`)
}
