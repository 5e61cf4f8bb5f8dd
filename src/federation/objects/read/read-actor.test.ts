import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeDocument } from '../../wire/normalize.ts'
import { InvalidDocumentError } from '../../wire/invalid-document-error.ts'
import { LIMITS } from './limits.ts'
import { readActor } from './read-actor.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const ID = 'https://a.example/users/ann'
const KEY = {
  id: `${ID}#main-key`,
  owner: ID,
  publicKeyPem: '-----BEGIN PUBLIC KEY-----\nMII\n-----END PUBLIC KEY-----\n',
}

const read = (more: object = {}) =>
  readActor(normalizeDocument({ id: ID, type: 'Person', preferredUsername: 'ann', inbox: `${ID}/inbox`, ...more }), {
    now: NOW,
  })

test('all properties of an actor are read', () => {
  const actor = read({
    type: 'Service',
    name: ' Ann \n A. ',
    webfinger: 'Ann@example',
    summary: '<p>hi<script>alert(1)</script></p>',
    url: [{ type: 'Link', mediaType: 'text/html', href: 'https://a.example/@ann' }],
    outbox: `${ID}/outbox`,
    followers: `${ID}/followers`,
    following: `${ID}/following`,
    featured: `${ID}/featured`,
    featuredTags: `${ID}/tags`,
    endpoints: { sharedInbox: 'https://a.example/inbox' },
    manuallyApprovesFollowers: true,
    discoverable: true,
    indexable: true,
    memorial: true,
    suspended: true,
    published: '2020-01-01T00:00:00Z',
    publicKey: KEY,
    icon: { type: 'Image', url: 'https://a.example/1.png', summary: 'a bird' },
    image: ['https://a.example/2.png'],
    attachment: [{ type: 'PropertyValue', name: 'Site', value: '<a href="https://x.example" onclick="y">x</a>' }],
    tag: [{ type: 'Emoji', name: ':bird:', icon: { url: 'https://a.example/3.png' } }],
    attributionDomains: ['News.Example', 'https://no.example/', 'news.example.', 5, 'bücher.example'],
    showMedia: true,
    showRepliesInMedia: false,
    showFeatured: false,
    interactionPolicy: { canFeature: { automaticApproval: [`${ID}/followers`], manualApproval: 'as:Public' } },
    alsoKnownAs: 'https://old.example/users/ann',
    movedTo: { id: 'https://new.example/users/ann' },
  })
  assert.deepEqual(actor, {
    uri: ID,
    host: 'a.example',
    type: 'Service',
    handle: { username: 'Ann', domain: 'example' },
    displayName: 'Ann A.',
    note: '<p>hi</p>',
    url: 'https://a.example/@ann',
    inboxUrl: `${ID}/inbox`,
    sharedInboxUrl: 'https://a.example/inbox',
    outboxUrl: `${ID}/outbox`,
    followersUrl: `${ID}/followers`,
    followingUrl: `${ID}/following`,
    featuredUrl: `${ID}/featured`,
    featuredTagsUrl: `${ID}/tags`,
    avatar: { url: 'https://a.example/1.png', description: 'a bird' },
    header: { url: 'https://a.example/2.png', description: '' },
    fields: [
      {
        name: 'Site',
        value: '<a href="https://x.example" rel="nofollow noopener" target="_blank">x</a>',
      },
    ],
    emojis: [{ uri: null, shortcode: 'bird', imageUrl: 'https://a.example/3.png', updatedAt: null }],
    locked: true,
    discoverable: true,
    indexable: true,
    memorial: true,
    suspended: true,
    attributionDomains: ['news.example', 'xn--bcher-kva.example'],
    showMedia: true,
    showMediaReplies: false,
    showFeatured: false,
    featurePolicy: { automatic: ['followers'], manual: ['public'] },
    alsoKnownAs: ['https://old.example/users/ann'],
    movedTo: 'https://new.example/users/ann',
    publishedAt: new Date('2020-01-01T00:00:00Z'),
    keys: [{ id: KEY.id, pem: KEY.publicKeyPem }],
    keyRefs: [],
  })
})

test('the hosts of inboxes are in the spelling of browsers', () => {
  const inboxes = { inbox: 'https://BÜCHER.example:443/in', endpoints: { sharedInbox: 'https://Bücher.example' } }
  const { inboxUrl, sharedInboxUrl } = read(inboxes)
  assert.deepEqual([inboxUrl, sharedInboxUrl], ['https://xn--bcher-kva.example/in', 'https://xn--bcher-kva.example/'])
})

test('the feature policy is read, and unknown parts become unsupported_policy', () => {
  const policy = (canFeature: object) => read({ following: `${ID}/f`, interactionPolicy: { canFeature } }).featurePolicy
  assert.deepEqual(policy({ automaticApproval: ['Public', `${ID}/f`] }), {
    automatic: ['public', 'following'],
    manual: [],
  })
  assert.deepEqual(policy({ automaticApproval: ID }), { automatic: ['disabled'], manual: [] })
  assert.deepEqual(policy({ manualApproval: ['https://a.example/friends', 'https://b.example/users/bo'] }), {
    automatic: [],
    manual: ['unsupported_policy'],
  })
  assert.deepEqual(policy({}), { automatic: [], manual: [] })
  assert.equal(read({ interactionPolicy: { canQuote: { automaticApproval: 'Public' } } }).featurePolicy, null)
})

test('an actor with only the required properties is read with defaults', () => {
  const actor = read()
  assert.deepEqual(actor.handle, { username: 'ann', domain: 'a.example' })
  assert.deepEqual([actor.url, actor.displayName, actor.sharedInboxUrl], [ID, '', null])
  assert.deepEqual([actor.locked, actor.discoverable, actor.indexable], [false, null, false])
  assert.deepEqual([actor.showMedia, actor.showMediaReplies, actor.showFeatured], [true, true, true])
  assert.deepEqual(actor.attributionDomains, [])
  assert.deepEqual(read({ attributionDomains: 'news.example' }).attributionDomains, ['news.example'])
})

test('of several sizes of an avatar or header, the widest one counts', () => {
  const url = (width: number) => `https://a.example/${width}.png`
  const sizes = (...widths: number[]) =>
    widths.map((width) => ({ type: 'Image', width, height: width, url: url(width) }))
  const actor = read({ icon: sizes(48, 1_500, 600), image: [{ url: url(0) }, 'https://a.example/other.png'] })
  assert.deepEqual([actor.avatar!.url, actor.header!.url], [url(1_500), url(0)])
  assert.equal(read({ icon: [{ width: 9, url: 'data:x' }, ...sizes(8)] }).avatar!.url, url(8))
})

test('an object without an actor type, id, inbox or valid username is refused (IN25)', () => {
  for (const more of [
    { type: 'Note' },
    { id: undefined },
    { id: 'javascript:alert(1)' },
    { inbox: undefined },
    { inbox: 'javascript:alert(1)' },
    { inbox: 'ftp://a.example/inbox' },
    { preferredUsername: undefined },
    { preferredUsername: '' },
    { preferredUsername: 'a b' },
    { preferredUsername: 'a@b' },
    { preferredUsername: 'é' },
    { preferredUsername: '../admin' },
    { preferredUsername: '.a' },
    { preferredUsername: 'a'.repeat(3_000) },
    { preferredUsername: ['ann'] },
  ]) {
    assert.throws(() => read(more), InvalidDocumentError, JSON.stringify(more))
  }
  for (const name of ['a.b', 'a-b', 'A_1', 'a..b'])
    assert.equal(read({ preferredUsername: name }).handle.username, name)
  for (const type of ['Person', 'Group', 'Organization', 'Application', ['Person', 'Odd']]) assert.ok(read({ type }))
})

test('the handle is that of webfinger, or else the preferredUsername at the host of the actor', () => {
  const handle = { username: 'Ann', domain: 'example' }
  for (const webfinger of ['Ann@example', 'acct:Ann@example']) {
    for (const preferredUsername of ['ann', 'Ann Ö', undefined])
      assert.deepEqual(read({ webfinger, preferredUsername }).handle, handle)
  }
  for (const webfinger of ['Ann', 'acct:Ann', 'Ann Ö@example', '@', 5, null])
    assert.deepEqual(read({ webfinger }).handle, { username: 'ann', domain: 'a.example' })
  assert.throws(() => read({ webfinger: 'Ann', preferredUsername: undefined }), InvalidDocumentError)
})

test('hosts are canonicalised (FE10)', () => {
  for (const id of [
    'https://A.EXAMPLE/users/ann',
    'https://a.example./users/ann',
    'https://a.example:443/users/ann',
    'https://ａ.example/users/ann',
  ]) {
    assert.equal(read({ id }).host, 'a.example', id)
  }
  assert.equal(read({ id: 'https://bücher.example/u' }).host, 'xn--bcher-kva.example')
  assert.equal(read({ id: 'https://a.example:8443/u' }).host, 'a.example:8443')
  assert.throws(() => read({ id: 'https://a.example\t/u' }), InvalidDocumentError)
  assert.throws(() => read({ id: 'https://a.example\\@b.example/u' }), InvalidDocumentError)
})

test('the profile page must be on the actor’s host, and only http(s) URLs are accepted (IN26)', () => {
  for (const url of ['https://b.example/@ann', 'javascript:alert(1)', 'data:text/html,x', ['https://b.example/', 5]]) {
    assert.equal(read({ url }).url, ID)
  }
  assert.equal(read({ url: ['https://b.example/', 'https://a.example/x'] }).url, 'https://a.example/x')
  const actor = read({
    icon: 'javascript:alert(1)',
    image: { url: 'data:image/png;base64,AA' },
    outbox: 'javascript:1',
    endpoints: { sharedInbox: 'file:///etc/passwd' },
    attachment: [{ type: 'PropertyValue', name: 'x', value: '<a href="javascript:alert(1)">y</a>' }],
  })
  assert.deepEqual([actor.avatar, actor.header, actor.outboxUrl, actor.sharedInboxUrl], [null, null, null, null])
  assert.deepEqual(actor.fields, [{ name: 'x', value: 'y' }])
})

test('a key is only accepted from its owner (IN4)', () => {
  const other = { ...KEY, id: `${ID}#other`, owner: 'https://a.example/users/bob' }
  assert.deepEqual(read({ publicKey: other }).keys, [])
  assert.deepEqual(
    read({ publicKey: [other, KEY, { ...KEY, id: `${ID}#3`, owner: undefined }] }).keys.map(({ id }) => id),
    [KEY.id, `${ID}#3`],
  )
  assert.deepEqual(read({ publicKey: `${ID}/main-key` }).keyRefs, [`${ID}/main-key`])
  assert.equal(
    read({ publicKey: Array.from({ length: 100 }, (_, n) => ({ ...KEY, id: `${ID}#${n}` })) }).keys.length,
    LIMITS.keys,
  )
})

test('texts and lists are truncated (IN21)', () => {
  const actor = read({
    name: 'n'.repeat(1_000_000),
    summary: 's'.repeat(100_000),
    attachment: Array.from({ length: 1_000 }, () => ({
      type: 'PropertyValue',
      name: 'n'.repeat(9_000),
      value: 'v'.repeat(9_000),
    })),
    alsoKnownAs: Array.from({ length: 900 }, (_, n) => `https://old.example/${n}`),
    attributionDomains: Array.from({ length: 900 }, (_, n) => `${n}.news.example`),
  })
  assert.equal(actor.displayName.length, LIMITS.displayName)
  assert.equal(actor.note.length, LIMITS.note)
  assert.equal(actor.fields.length, LIMITS.fields)
  assert.deepEqual([actor.fields[0]!.name.length, actor.fields[0]!.value.length], [LIMITS.field, LIMITS.field])
  assert.equal(actor.alsoKnownAs.length, LIMITS.aliases)
  assert.equal(actor.attributionDomains.length, LIMITS.attributionDomains)
})

test('a date of creation in the future becomes now (IN23)', () => {
  assert.deepEqual(read({ published: '9999-01-01T00:00:00Z' }).publishedAt, NOW)
})
