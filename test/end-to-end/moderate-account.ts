import assert from 'node:assert/strict'
import { createRestAPIClient } from 'masto'
import type { mastodon } from 'masto'
import { openBrowser } from '../services/browser.ts'
import { heading, openWindow, submit } from './browser.ts'
import type { ClientUser, ServerPair } from './server-pair.ts'
import { logStep } from './step.ts'
import { until } from './until.ts'
import { findAccount, readHome, waitForStatus } from './wait-for-client.ts'

const PASSWORD = 'a marsh in november'

interface Staff {
  admin: ClientUser
  moderator: ClientUser
}

interface People extends Staff {
  /** The reported user, with a follower on the same server and one on the other. */
  author: ClientUser
  authorId: string
  follower: ClientUser
  remoteFollower: ClientUser
}

/** Reports a user, limits the account, lets the user appeal, approves the appeal; then suspends the account and undoes it. */
export async function moderateAccount(pair: ServerPair, staff: Staff): Promise<void> {
  const author = await pair.createUser(pair.a, 'mallory', 'a.test', { password: PASSWORD })
  const follower = await pair.createUser(pair.a, 'rita', 'a.test')
  const remoteFollower = await pair.createUser(pair.b, 'bob', 'b.test')
  try {
    const authorId = (await author.api.v1.accounts.verifyCredentials()).id
    const people = { ...staff, author, authorId, follower, remoteFollower }
    await followAuthor(people)
    const report = await reportStatus(people)
    await limitAuthor(people, report)
    await appealOnPage(people)
    await approveAppeal(people)
    await suspendAndUndo(people)
  } finally {
    for (const user of [author, follower, remoteFollower]) user.close()
  }
}

async function followAuthor({ author, authorId, follower, remoteFollower }: People): Promise<void> {
  await follower.api.v1.accounts.$select(authorId).follow()
  const copy = await findAccount(remoteFollower, author.handle)
  await remoteFollower.api.v1.accounts.$select(copy.id).follow()
  await until('the follow of the other server', async () => {
    const { followersCount } = await author.api.v1.accounts.$select(authorId).fetch()
    return followersCount === 2
  })
  await author.api.v1.statuses.create({ status: 'A post before all of this', visibility: 'public' })
  await waitForStatus(remoteFollower, 'A post before all of this')
  logStep(`${follower.handle} and ${remoteFollower.handle} follow ${author.handle} and read the posts`)
}

async function reportStatus({ author, authorId, follower, moderator }: People): Promise<mastodon.v1.Report> {
  const status = await author.api.v1.statuses.create({ status: 'Something unpleasant', visibility: 'public' })
  const report = await follower.api.v1.reports.create({
    accountId: authorId,
    statusIds: [status.id],
    category: 'spam',
    comment: 'Please look at this',
  })
  await until('the notification of the report', async () => {
    const list = await moderator.api.v1.notifications.list({ types: ['admin.report'] })
    return list.some((one) => one.type === 'admin.report' && one.report.id === report.id)
  })
  await waitForMail(moderator, /report/i)
  const own = await author.api.v1.notifications.list()
  assert.deepEqual(
    own.filter(({ type }) => type.startsWith('admin.')),
    [],
  )
  logStep(`${follower.name} reports a post; the moderator gets a notification and a mail, ${author.name} nothing`)

  const assigned = await moderator.api.v1.admin.reports.$select(report.id).assignToSelf()
  assert.ok(assigned.assignedAccount)
  logStep(`${moderator.name} assigns the report to herself`)
  return report
}

async function limitAuthor(people: People, report: mastodon.v1.Report): Promise<void> {
  const { author, authorId, follower, moderator, admin } = people
  const impact = await readImpact(people, 'silence')
  assert.equal(impact['reversible'], true)
  await moderator.api.v1.admin.accounts.$select(authorId).action.create({
    type: 'silence',
    reportId: report.id,
    text: 'Be kind',
  })
  assert.equal((await moderator.api.v1.admin.reports.$select(report.id).fetch()).actionTaken, true)
  const warning = await until('the notification of the strike', async () => {
    const [one] = await author.api.v1.notifications.list({ types: ['moderation_warning'] })
    return one
  })
  assert.doesNotMatch(JSON.stringify(warning), new RegExp(moderator.name))
  await waitForMail(author, /limited/i)
  await author.api.v1.statuses.create({ status: 'A post while limited', visibility: 'public' })
  await waitForStatus(follower, 'A post while limited')
  assert.deepEqual(await localTimeline(admin), [])
  logStep(
    `${moderator.name} sees the impact and limits ${author.name}: only followers see the posts, the report is resolved`,
  )
}

async function appealOnPage({ author, admin }: People): Promise<void> {
  const browser = await openBrowser()
  try {
    const window = await openWindow(browser, { origin: author.server.address })
    await window.goto('/settings/strikes')
    await submit(window, { fields: { login: author.name, password: PASSWORD }, button: /log in/i })
    await window.locator('main a[href^="/settings/strikes/"]').first().click()
    await submit(window, { fields: { text: 'It was a misunderstanding' }, button: /appeal/i })
    logStep(`${author.name} logs in and appeals on the page "${await heading(window)}"`)
  } finally {
    await browser.close()
  }
  await waitForMail(admin, /appeal/i)
}

async function approveAppeal({ author, authorId, admin }: People): Promise<void> {
  const [appeal] = await admin.request<{ id: string }[]>('GET', '/api/v1/admin/appeals?status=pending')
  await admin.request('POST', `/api/v1/admin/appeals/${appeal!.id}/approve`)
  assert.equal((await admin.api.v1.admin.accounts.$select(authorId).fetch()).silenced, false)
  await waitForMail(author, /approved/i)
  await author.api.v1.statuses.create({ status: 'A post after the appeal', visibility: 'public' })
  await until('the public timeline', async () => (await localTimeline(admin)).includes('A post after the appeal'))
  logStep(`${admin.name} approves the appeal: ${author.name} gets a mail and is public again`)
}

async function suspendAndUndo(people: People): Promise<void> {
  const { author, authorId, follower, remoteFollower, moderator } = people
  const impact = await readImpact(people, 'suspend')
  assert.equal(impact['local_followers_count'], 1)
  assert.equal(impact['remote_followers_count'], 1)
  const list = await follower.api.v1.lists.create({ title: 'Neighbours' })
  await follower.api.v1.lists.$select(list.id).accounts.create({ accountIds: [authorId] })
  await moderator.api.v1.admin.accounts.$select(authorId).action.create({ type: 'suspend', text: 'Again' })
  await assert.rejects(author.api.v1.accounts.verifyCredentials())
  assert.ok((await readHome(follower)).every(({ account }) => account.username !== author.name))
  const copy = await findAccount(remoteFollower, author.handle)
  await until('the suspension on the other server', async () => {
    const { suspended } = await remoteFollower.api.v1.accounts.$select(copy.id).fetch()
    return suspended === true
  })
  logStep(`${moderator.name} suspends ${author.name}: the token fails, posts are gone, and the other server knows`)

  await moderator.api.v1.admin.accounts.$select(authorId).unsuspend()
  const [relation] = await follower.api.v1.accounts.relationships.fetch({ id: [authorId] })
  assert.equal(relation?.following, true)
  const members = await follower.api.v1.lists.$select(list.id).accounts.list()
  assert.deepEqual(
    members.map(({ id }) => id),
    [authorId],
  )
  await until('the end of the suspension on the other server', async () => {
    const { suspended } = await remoteFollower.api.v1.accounts.$select(copy.id).fetch()
    return !suspended
  })
  await author.api.v1.statuses.create({ status: 'A post after the suspension', visibility: 'public' })
  await waitForStatus(remoteFollower, 'A post after the suspension')
  await waitForStatus(follower, 'A post before all of this')
  logStep('The undo restores posts, follows and lists; new posts reach the other server again')
}

/** Reads what an action would affect. */
function readImpact({ moderator, authorId }: People, type: string): Promise<Record<string, unknown>> {
  return moderator.request('GET', `/api/v1/admin/accounts/${authorId}/action_impact?type=${type}`)
}

/** Returns the texts of the local public timeline, as anonymous visitors see it. */
async function localTimeline({ server }: ClientUser): Promise<string[]> {
  const statuses = await createRestAPIClient({ url: server.address }).v1.timelines.public.list({ local: true })
  return statuses.map(({ content }) => (content ?? '').replaceAll(/<[^>]*>/g, ''))
}

/** Waits for a mail to a user with this subject; this server has no mail server, so it stores them. */
async function waitForMail(user: ClientUser, subject: RegExp): Promise<void> {
  await until(`a mail to ${user.name} with ${subject.source}`, async () => {
    const lines = (await user.server.run('mail', 'list')).split('\n')
    return lines.some((line) => line.includes(`${user.name}@mail.example`) && subject.test(line))
  })
}
