import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { createUsers } from '../../../../test/servers/create-users.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { compareIds } from '../../../lib/ids.ts'
import { foldForSearch } from '../../../lib/text/search-words.ts'

/** Advanced for each request, so that no rate limit is reached. */
let now = new Date()
const testServer = await openTestServer({ effects: false, now: () => now })
after(testServer.close)
const { db } = testServer.ctx
const viewer = await testServer.createUser({ username: 'Zz_viewer' })

const find = async (q: string, parameters: Record<string, unknown> = {}) => {
  now = new Date(now.getTime() + 60_000)
  const { status, body } = await viewer.client.get<{ id: string }[]>('/api/v1/accounts/search', { q, ...parameters })
  assert.equal(status, 200, q)
  return body.map(({ id }) => id)
}

interface SearchableAccount {
  id: string
  username: string
  name: string
  domain: string
  followers: number
  followed: boolean
}

/**
 * Returns the expected result of a search, computed without an index: accounts with every word, in the order of ranks.
 */
function expected(accounts: readonly SearchableAccount[], query: string, { following = false } = {}): string[] {
  const typed = query.normalize('NFKC').trim().replace(/^@|@$/g, '')
  const handle = /^(\w+)(?:@([\w.]+))?$/.exec(typed)
  const domain = (handle?.[2] ?? '').toLowerCase().replace('linnet.test', '')
  const words = (handle ? [handle[1]!, domain] : foldForSearch(typed).split(/[\s@]+/)).filter(Boolean).slice(0, 4)
  if (words.length === 0) return []
  const lowerCase = (text: string) => text.toLowerCase()
  const isDense = (word: string) =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Extended_Pictographic}]/u.test(word)
  const isIn = (word: string, text: string) =>
    Array.from(word).length >= 3 || isDense(word)
      ? text.includes(lowerCase(word))
      : text.includes(` ${lowerCase(word)}`)
  const rank = (account: SearchableAccount): number[] => [
    Number(handle !== null && lowerCase(account.username) === lowerCase(handle[1]!) && account.domain === domain),
    Number(handle !== null && lowerCase(account.username) === lowerCase(handle[1]!)),
    Number(lowerCase(account.username).startsWith(lowerCase(words[0]!))),
    Number(account.followed),
    account.followers,
  ]
  const compare = (a: SearchableAccount, b: SearchableAccount) => {
    const [left, right] = [rank(a), rank(b)]
    const position = left.findIndex((value, i) => value !== right[i])
    return position === -1 ? compareIds(b.id, a.id) : right[position]! - left[position]!
  }
  return accounts
    .filter(({ username, name, domain: host }) =>
      words.every((word) => isIn(word, foldForSearch(` ${username} ${name} ${host}`))),
    )
    .filter(({ followed }) => !following || followed)
    .toSorted(compare)
    .map(({ id }) => id)
}

async function insert({ username, name, domain, followers, followed }: Omit<SearchableAccount, 'id'>): Promise<string> {
  const uri = `https://${domain || 'linnet.test'}/u/${Math.random()}`
  const { rows } = await sql<{ id: string }>`
    with inserted as (
      insert into accounts (username, display_name, domain, uri, url)
      values (${username}, ${name}, ${domain || null}, ${uri}, ${uri}) returning id
    ), stats as (
      insert into account_stats (account_id, followers_count) select id, ${followers} from inserted
    ), inserted_user as (
      insert into users (account_id, email, confirmed_at) select id, id || '@mail.test', now() from inserted
      where ${domain === ''}
    ), inserted_follow as (
      insert into follows (account_id, target_account_id)
      select ${viewer.accountId}::bigint, id from inserted where ${followed}
    )
    select id from inserted`.execute(db)
  return rows[0]!.id
}

test('BI14 search returns exactly the expected accounts, for any characters in names and queries', async () => {
  const fragment = fc.constantFrom(
    ...'a ab Ana bar x_y % _ \\ \\% \' " & | ! :* (a) <-> -a $1 猫 田中 さ ｶﾞ 🦊 é Éa ß Ａ ™ д 100% . * ? [a] -- ; null and'.split(
      ' ',
    ),
    '  ',
    '\t',
  )
  const text = fc.array(fragment, { maxLength: 4 }).map((parts) => parts.join(''))
  const handle = fc.constantFrom(
    '@ana@a.test',
    'Ana@A.test',
    'ab@BAR.test',
    '@a',
    'x_y@linnet.test',
    '@null@nowhere.test',
  )
  const words = fc.oneof(
    { weight: 5, arbitrary: fc.array(fragment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')) },
    { weight: 5, arbitrary: fc.array(fragment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' ')) },
    { weight: 1, arbitrary: handle },
  )
  const account = fc.record({
    username: fc.constantFrom('a', 'ab', 'ana', 'Ana', 'x_y', 'x1y', 'anaBar', 'null', 'bar_a'),
    name: text,
    domain: fc.constantFrom('', 'a.test', 'bar.test'),
    followers: fc.integer({ min: 0, max: 3 }),
    followed: fc.boolean(),
  })
  const accountSets = fc.uniqueArray(account, {
    minLength: 4,
    maxLength: 12,
    selector: ({ username, domain }) => `${username.toLowerCase()}@${domain}`,
  })
  await fc.assert(
    fc.asyncProperty(
      accountSets,
      fc.array(words, { minLength: 8, maxLength: 8 }),
      async (generatedAccounts, queries) => {
        await sql`delete from accounts where id <> ${viewer.accountId}`.execute(db)
        const accounts: SearchableAccount[] = []
        for (const generated of generatedAccounts) accounts.push({ ...generated, id: await insert(generated) })
        for (const query of queries) {
          if (query.trim() === '') continue
          for (const following of [false, true]) {
            const all = await find(query, { following, limit: 80 })
            const others = all.filter((id) => id !== viewer.accountId)
            assert.deepEqual(others, expected(accounts, query, { following }), JSON.stringify(query))
            const [limit, offset] = [1 + (all.length % 3), all.length % 2]
            const page = await find(query, { following, limit, offset })
            assert.deepEqual(page, all.slice(offset, offset + limit), `a page of ${JSON.stringify(query)}`)
          }
        }
      },
    ),
    { numRuns: 30 },
  )
})

test('for a common word, followed and most-followed accounts rank first, and pages do not overlap', async () => {
  const accountIds = await createUsers(testServer.ctx, { prefix: 'common', count: 2_100 })
  // Their names are the last ones, after the 2,000 matches that are ranked of such a word.
  const [followed, mostFollowed] = [accountIds[998]!, accountIds[997]!]
  await sql`update account_stats set followers_count = 9 where account_id = ${mostFollowed}`.execute(db)
  await viewer.client.post(`/api/v1/accounts/${followed}/follow`)
  for (const query of ['common', 'ommo']) {
    assert.deepEqual((await find(query)).slice(0, 2), [followed, mostFollowed], query)
    assert.deepEqual(await find(query, { following: true }), [followed], query)
    assert.deepEqual(await find(query, { limit: 1, offset: 1 }), [mostFollowed], query)
    const found: string[] = []
    for (let offset = 0; offset < 2_080; offset += 80) found.push(...(await find(query, { limit: 80, offset })))
    assert.equal(new Set(found).size, found.length, query)
    assert.ok(found.length >= 2_000 && new Set(accountIds).isSupersetOf(new Set(found)), query)
  }
  // An exact username ranks before all of them.
  const named = await insert({ username: 'common', name: '', domain: '', followers: 0, followed: false })
  assert.equal((await find('common'))[0], named)
  assert.equal((await find('@COMMON@linnet.test'))[0], named)
})

test('a username ranks first also while the domain of a handle is not typed yet', async () => {
  const named = await insert({ username: 'robin', name: '', domain: 'a.test', followers: 0, followed: false })
  const longer = await insert({ username: 'robinson', name: '', domain: '', followers: 3, followed: true })
  for (const query of ['robin', '@robin', '@robin@', 'robin@'])
    assert.deepEqual(await find(query), [named, longer], query)
  assert.deepEqual(await find('@robin@a'), [named])
})

test('a handle is found while its domain is typed, also that of this server', async () => {
  const remote = await insert({ username: 'wren', name: '', domain: 'line.test', followers: 0, followed: false })
  const local = await insert({ username: 'wren', name: '', domain: '', followers: 5, followed: false })
  const other = await insert({ username: 'wrenna', name: '', domain: '', followers: 9, followed: false })
  assert.deepEqual(await find('wren@'), [local, remote, other])
  for (const query of ['wren@l', '@wren@li', 'WREN@LIN']) assert.deepEqual(await find(query), [local, remote], query)
  for (const query of ['wren@linn', '@wren@linnet.', 'wren@linnet.tes']) assert.deepEqual(await find(query), [local])
  for (const query of ['wren@line', '@wren@line.', 'wren@line.test']) assert.deepEqual(await find(query), [remote])
})

test('a handle is found while its internationalised domain is typed', async () => {
  const [munich, deep] = [
    await insert({ username: 'dunnock', name: '', domain: 'xn--mnchen-3ya.test', followers: 5, followed: false }),
    await insert({ username: 'dunnock', name: '', domain: 'a.xn--fsq.test', followers: 0, followed: false }),
  ]
  for (const query of ['dunnock@mü', '@dunnock@Münch', 'dunnock@münchen', 'dunnock@münchen.', 'dunnock@münchen.te'])
    assert.deepEqual(await find(query), [munich], query)
  for (const query of ['dunnock@a.例', 'dunnock@a.例.test']) assert.deepEqual(await find(query), [deep], query)
})

test('search ignores the case of names, in every script that has one', async () => {
  const names = ['Юлия Ёлкина', 'ΟΔΥΣΣΕΥΣ', 'Ångström Ünal', 'İpek Işık', '김민수', 'สมชาย']
  for (const [n, name] of names.entries()) {
    const id = await insert({ username: `cased${n}`, name, domain: '', followers: 0, followed: false })
    assert.deepEqual(await find(name), [id], name)
    assert.deepEqual(await find(name.toUpperCase()), [id], name)
  }
})

test('search ignores accents, wide and narrow forms of characters and optional vowel signs, like status search', async () => {
  const spellings = [
    ['Jürgen Weiß', 'jurgen', 'JÜRGEN', 'ju\u0308rgen', 'weiss', 'WEISS'],
    ['Łukasz Żółw', 'lukasz', 'zolw', 'żółw'],
    ['Işıl Çağ', 'isil', 'IŞIL', 'cag'],
    ['Nguyễn Văn Đức', 'nguyen van duc', 'đức'],
    ['Οδυσσέας', 'οδυσσεας', 'ΟΔΥΣΣΕΑΣ'],
    ['Семён Алёшин', 'семен', 'алешин', 'АЛЁШИН'],
    ['مُحَمَّدٌ', 'محمد', 'محمـــد'],
    ['リンリン', 'ﾘﾝﾘﾝ', 'リン', 'ﾘﾝ'],
    ['ｶﾌｪ', 'カフェ'],
    ['ＱＷＥカフェ', 'qwe', 'qweカフェ', 'ＱＷＥ'],
    ['Zoe\u0308\u3000\ufb03x', 'zoë', 'ffix', 'zoe ffix'],
  ]
  for (const [n, [name, ...queries]] of spellings.entries()) {
    const id = await insert({ username: `spelt${n}`, name: name!, domain: '', followers: 0, followed: false })
    for (const query of [name!, ...queries]) assert.deepEqual(await find(query), [id], `${name}: ${query}`)
  }
  assert.deepEqual(await find('カフエ'), [])
})

test('a username ranks first also if it is typed with accents or wide characters', async () => {
  const named = await insert({ username: 'bjorn', name: '', domain: 'a.test', followers: 0, followed: false })
  const longer = await insert({ username: 'bjornson', name: 'Björn', domain: '', followers: 3, followed: true })
  for (const query of ['Björn', 'ｂｊｏｒｎ', '＠ｂｊｏｒｎ'])
    assert.deepEqual(await find(query), [named, longer], query)
  assert.deepEqual(await find('＠ｂｊｏｒｎ＠ａ．test'), [named])
})

test('PostgreSQL folds the characters of all alphabets as status search does', async () => {
  // Node may know characters of a newer version of Unicode.
  const { rows } = await sql<{ character: string; folded: string }>`
    select character, fold_for_search('a' || character) as folded
    from generate_series(1, 131071) point, lateral chr(case when point between 55296 and 57343 then 1 else point end)
      character where unicode_assigned(character)`.execute(db)
  assert.ok(rows.length > 50_000)
  assert.deepEqual(
    rows.filter(({ character, folded }) => folded !== foldForSearch(`a${character}`)),
    [],
  )
})
