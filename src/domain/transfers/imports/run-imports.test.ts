import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { confirmImport, importFile } from '../../../../test/features/imports.ts'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { createRemoteAccount, createRemoteStatus } from '../../../../test/federation/remote-records.ts'
import type { Browser } from '../../../../test/http/browser.ts'
import { openBrowserSession } from '../../../../test/http/open-session.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { writeCsv } from '../../../lib/text/csv.ts'
import type { Ctx } from '../../context.ts'
import { removeMissing } from './remove-missing.ts'
import { runImports } from './run-imports.ts'

// Without workers, each test decides when a job runs.
const fediverse = await openFediverse({ hosts: ['far.test'], effects: false, env: { MEDIA_CACHE_GB: '0' } })
after(fediverse.close)
const { testServer } = fediverse
const { ctx } = testServer
const far = await fediverse.peer.host('far.test').createActor('Far')
const bob = await testServer.createUser({ username: 'bob' })
const statusId = await createRemoteStatus(ctx, {
  accountId: await createRemoteAccount(ctx, { handle: { username: 'writer', domain: 'written.test' } }),
  uri: 'https://written.test/statuses/1',
})

/** Runs the jobs of a user's imports until all imports are finished. Returns how many ran. */
async function runAll({ accountId }: TestUser): Promise<number> {
  for (let jobs = 0; ; jobs += 1) {
    const { rows } = await sql`select from account_imports where account_id = ${accountId}
      and state in ('scheduled', 'in_progress')`.execute(ctx.db)
    if (rows.length === 0) return jobs
    await runImports(ctx, { accountId })
  }
}

async function createImporter(): Promise<{
  user: TestUser
  browser: Browser
  import(type: string, content: string, mode?: 'merge' | 'overwrite'): ReturnType<typeof importFile>
  download(file: string): Promise<string>
}> {
  const user = await testServer.createUser()
  const browser = await openBrowserSession(testServer, user)
  const waitForJobs = async () => void (await runAll(user))
  return {
    user,
    browser,
    import: (type, content, mode = 'merge') => importFile({ waitForJobs }, { browser, type, mode, content }),
    download: async (file) => (await browser.get(`/settings/exports/${file}`)).html,
  }
}

async function relationship(user: TestUser, id: string) {
  return (await user.client.get('/api/v1/accounts/relationships', { id: [id] })).body[0]
}

const HEADER = 'Account address,Show boosts,Notify on new posts,Languages\n'

test('follows are imported with their options; unknown accounts are fetched, and missing ones fail', async () => {
  const { user, import: importList } = await createImporter()
  const { text, failures } = await importList(
    'following',
    `${HEADER}@bob@linnet.test,false,true,"de, en"\n@Far@far.test,true,false,\nnobody@far.test,true,false,\n`,
  )
  assert.match(text, /Imported: 2 of 3/)
  assert.equal(failures, `${HEADER}nobody@far.test,true,false,\n`)
  const { following, showing_reblogs, notifying, languages } = await relationship(user, bob.accountId)
  assert.deepEqual([following, showing_reblogs, notifying, languages], [true, false, true, ['de', 'en']])
  const { body } = await user.client.get('/api/v1/accounts/lookup', { acct: far.handle })
  assert.equal((await relationship(user, body.id)).requested, true)
})

test('mutes, blocks, domain blocks and bookmarks are imported, with or without the headers of Mastodon', async () => {
  const { user, import: importList, download } = await createImporter()
  await importList('muting', 'Account address,Hide notifications\nbob@linnet.test,false\n')
  assert.equal(await download('mutes.csv'), 'Account address,Hide notifications\nbob@linnet.test,false\n')
  await importList('blocking', 'Account address\r\nBOB\r\nbob@linnet.test\r\n')
  assert.equal(await download('blocks.csv'), 'bob@linnet.test\n')
  assert.match((await importList('domain_blocking', '#domain\nBad.test\nno domain\n')).text, /Imported: 1 of 2/)
  await importList('domain_blocking', 'worse.test\n')
  assert.equal(await download('domain_blocks.csv'), 'bad.test\nworse.test\n')
  await importList('bookmarks', '#uri\nhttps://written.test/statuses/1\nhttps://far.test/missing\n')
  assert.equal((await user.client.get('/api/v1/bookmarks')).body[0].id, statusId)
})

test('a row that names nothing because it is too long fails alone', async () => {
  const { import: importList } = await createImporter()
  const [known, long] = ['https://written.test/statuses/1', `https://far.test/${randomBytes(2_000).toString('hex')}`]
  const { text, failures } = await importList('bookmarks', `#uri\n${known}\n${long}\n`)
  assert.match(text, /Imported: 1 of 2/)
  assert.equal(failures, `#uri\n${long}\n`)
  const [usual, longTitled] = ['usual', randomBytes(2_000).toString('hex')].map((title) => ({
    title,
    context: ['home'],
    keywords_attributes: [{ keyword: 'word' }],
  }))
  const filters = await importList('filters', JSON.stringify({ custom_filters: [usual, longTitled] }))
  assert.match(filters.text, /Imported: 1 of 2/)
})

test('list members are followed first, and the lists that are missing are created', async () => {
  const { user, import: importList, download } = await createImporter()
  const rows = `Friends,bob@linnet.test\nFriends,${user.username}@linnet.test\nOthers,bob@linnet.test\n`
  await importList('lists', `List name,Account address\n${rows}`)
  assert.equal(await download('lists.csv'), rows)
  assert.equal((await relationship(user, bob.accountId)).following, true)
  assert.match((await importList('lists', rows)).text, /Imported: 3 of 3/, 'again')
  assert.equal(await download('lists.csv'), rows)
  await importList('lists', `Friends,${user.username}\n`, 'overwrite')
  assert.equal(await download('lists.csv'), `Friends,${user.username}@linnet.test\n`)
  assert.equal((await user.client.get('/api/v1/lists')).body.length, 1)
})

test('exported lists are imported with any titles, also those that are names of columns', async () => {
  for (const first of ['Domain', 'Account address', '#uri']) {
    const { user, import: importList, download } = await createImporter()
    const titles = [first, 'a, b; c', 'say "hi"', "'=x", '=1+1', '🐈 猫']
    await importList(
      'lists',
      `List name,Account address\n${writeCsv(titles.map((title) => [title, 'bob@linnet.test']))}`,
    )
    const exported = await download('lists.csv')
    for (const { id } of (await user.client.get('/api/v1/lists')).body) await user.client.delete(`/api/v1/lists/${id}`)
    assert.equal((await importList('lists', exported, 'overwrite')).failures, 'List name,Account address\n')
    assert.equal(await download('lists.csv'), exported)
    const { body: lists } = await user.client.get('/api/v1/lists')
    assert.deepEqual(new Set(lists.map(({ title }: { title: string }) => title)), new Set(titles))
  }
})

const LOUD = { keyword: 'loud', whole_word: false }
const WORDS = ['loud', 'louder'].map((keyword) => ({ keyword, whole_word: true }))

test('filters are imported from the exported file, once for each title with its contexts, and replaced by overwriting', async () => {
  const { user, import: importList, download } = await createImporter()
  const filter = (title: string, more: object = {}) => ({
    title,
    expires_at: '2099-01-01T00:00:00.000Z',
    context: ['home'],
    action: 'hide',
    keywords_attributes: [LOUD],
    statuses: ['https://written.test/statuses/1'],
    ...more,
  })
  const file = { custom_filters: [filter('Noise'), filter('Invalid', { context: ['nowhere'] })] }
  const { text, failures } = await importList('filters', JSON.stringify(file))
  assert.match(text, /Imported: 1 of 2/)
  assert.equal(JSON.parse(failures).custom_filters[0].title, 'Invalid')
  const exported = JSON.parse(await download('custom_filters.json'))
  assert.deepEqual(exported.custom_filters, [filter('Noise')])
  await importList('filters', JSON.stringify(exported))
  assert.deepEqual(JSON.parse(await download('custom_filters.json')), exported, 'again')
  const both = ['home', 'public'].map((context, n) =>
    filter('Both', { context: [context], action: ['warn', 'hide'][n] }),
  )
  await importList('filters', JSON.stringify({ custom_filters: both }), 'overwrite')
  assert.deepEqual(JSON.parse(await download('custom_filters.json')).custom_filters, both)
  const [first, second] = both.map((one, n) => ({ ...one, action: 'warn', keywords_attributes: [WORDS[n]] }))
  await importList('filters', JSON.stringify({ custom_filters: [first, second] }))
  const merged = [first, second].map((one) => ({ ...one, keywords_attributes: [LOUD, ...one!.keywords_attributes] }))
  assert.deepEqual(JSON.parse(await download('custom_filters.json')).custom_filters, merged)
  await importList('filters', JSON.stringify({ custom_filters: [filter('Other', { statuses: [] })] }), 'overwrite')
  const { body } = await user.client.get('/api/v2/filters')
  assert.deepEqual(
    body.map(({ title }: { title: string }) => title),
    ['Other'],
  )
})

test('overwriting removes what the file lacks, and keeps what it has', async () => {
  const { user, import: importList, download } = await createImporter()
  const carl = await testServer.createUser()
  for (const { accountId } of [bob, carl]) {
    await user.client.post(`/api/v1/accounts/${accountId}/follow`)
    await user.client.post(`/api/v1/accounts/${accountId}/mute`)
  }
  await user.client.post('/api/v1/domain_blocks', { domain: 'old.test' })
  await user.client.post(`/api/v1/statuses/${statusId}/bookmark`)
  await importList('following', 'bob\n', 'overwrite')
  await importList('muting', 'bob\n', 'overwrite')
  await importList('domain_blocking', 'new.test\n', 'overwrite')
  await importList('bookmarks', 'https://far.test/missing\n', 'overwrite')
  assert.equal(await download('follows.csv'), `${HEADER}bob@linnet.test,true,false,\n`)
  assert.match(await download('mutes.csv'), /\nbob@linnet\.test,true\n$/)
  assert.equal(await download('domain_blocks.csv'), 'new.test\n')
  assert.equal(await download('bookmarks.csv'), '')
  await user.client.post(`/api/v1/accounts/${carl.accountId}/block`)
  await importList('blocking', 'bob\n', 'overwrite')
  assert.equal(await download('blocks.csv'), 'bob@linnet.test\n')
})

test('an import runs in sets of a hundred rows; a row counts once, and a crash loses at most one set', async () => {
  const { user, browser, download } = await createImporter()
  const names = Array.from({ length: 250 }, (_, i) => `blocked${i}.test`)
  const path = await confirmImport(browser, { type: 'domain_blocking', content: names.join('\n') })
  /** The job crashes at the end of its n-th transaction. */
  const crashing = (n: number) => {
    let writes = 0
    const write: typeof ctx.write = (work) =>
      ctx.write(async (tx) => {
        const result = await work(tx)
        if ((writes += 1) === n) throw new Error('crash')
        return result
      })
    return { ...ctx, write }
  }
  await assert.rejects(runImports(crashing(2), user), /crash/)
  assert.match((await browser.get(path)).text, /In progress: 0 of 250/)
  assert.equal(await download('domain_blocks.csv'), '')
  await assert.rejects(runImports(crashing(3), user), /crash/)
  assert.match((await browser.get(path)).text, /In progress: 100 of 250/)
  await Promise.all([runImports(ctx, user), runImports(ctx, user)])
  await runAll(user)
  assert.match((await browser.get(path)).text, /Finished.*Imported: 250 of 250/)
  assert.equal((await download('domain_blocks.csv')).trimEnd().split('\n').length, 250)
})

test('a server that does not respond gets five requests of a set of rows, and those of other servers go on', async () => {
  const { user, browser } = await createImporter()
  const hosts = ['silent.test', 'far.test']
  const rows = hosts.flatMap((host) => Array.from({ length: 50 }, (_, n) => `user${n}@${host}\n`))
  const path = await confirmImport(browser, { type: 'muting', content: rows.join('') })
  let now = new Date()
  const asked: string[] = []
  const findAccount: Ctx['remote']['findAccount'] = async ({ username, domain }) => {
    asked.push(domain)
    if (domain === 'silent.test') now = new Date(now.getTime() + 10_000)
    return domain === 'far.test' && username === 'user49' ? bob.accountId : null
  }
  await runImports({ ...ctx, now: () => now, remote: { ...ctx.remote, findAccount } }, user)
  assert.deepEqual(asked, [...Array<string>(5).fill('silent.test'), ...Array<string>(50).fill('far.test')])
  assert.match((await browser.get(path)).text, /In progress: 100 of 100.*Imported: 1 of 100/)
})

test('the import of a user who is suspended meanwhile changes nothing, and its rows are failures', async () => {
  const { user, browser, download } = await createImporter()
  const path = await confirmImport(browser, { type: 'domain_blocking', content: 'late.test\n', mode: 'overwrite' })
  await ctx.db.updateTable('accounts').set({ suspended_at: new Date() }).where('id', '=', user.accountId).execute()
  await runAll(user)
  await ctx.db.updateTable('accounts').set({ suspended_at: null }).where('id', '=', user.accountId).execute()
  assert.match((await browser.get(path)).text, /Imported: 0 of 1.*1 entry could not be imported/)
  assert.equal(await download('domain_blocks.csv'), '')
})

test('a late job that removes what the file lacks does not remove what the import has added', async () => {
  const { user, import: importList } = await createImporter()
  await importList('following', `${HEADER}bob@linnet.test,true,false,\n`, 'overwrite')
  const { id } = await ctx.db
    .selectFrom('account_imports')
    .select('id')
    .where('account_id', '=', user.accountId)
    .executeTakeFirstOrThrow()
  const running = { id, type: 'following', removed_until: '0' } as const
  await removeMissing(ctx, { accountId: user.accountId, running })
  assert.equal((await relationship(user, bob.accountId)).following, true)
})

test('a late job that clears a list keeps the members that the import has added meanwhile', async () => {
  const { user, browser, import: importList } = await createImporter()
  await importList('lists', 'Friends,bob@linnet.test')
  await testServer.createUser({ username: 'carl' })
  await confirmImport(browser, { type: 'lists', mode: 'overwrite', content: 'Friends,carl@linnet.test' })
  const { rows } = await sql<{ id: string }>`
    select id from account_imports where account_id = ${user.accountId} and state = 'scheduled'`.execute(ctx.db)
  // Another job finishes the import when this one has found the list.
  const late: Ctx = {
    ...ctx,
    async write(work) {
      await runAll(user)
      return ctx.write(work)
    },
  }
  const running = { id: rows[0]!.id, type: 'lists', removed_until: '0' } as const
  await removeMissing(late, { accountId: user.accountId, running })
  const [list] = (await user.client.get('/api/v1/lists')).body
  const { body } = await user.client.get(`/api/v1/lists/${list.id}/accounts`)
  assert.deepEqual(
    body.map((account: { username: string }) => account.username),
    ['carl'],
  )
})
