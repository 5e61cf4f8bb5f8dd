import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openBrowserSession } from '../../../../test/http/open-session.ts'
import type { Browser } from '../../../../test/http/browser.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { readCleanupPolicy } from '../../../domain/statuses/cleanup/cleanup-policy.ts'

const PATH = '/settings/statuses-cleanup'
const testServer = await openTestServer()
after(testServer.close)

const checkedIn = (html: string) =>
  [...html.matchAll(/<input type="checkbox" id="(\w+)"[^>]*\schecked/g)].map(([, name]) => name)

/** Sends the form of the page. Browsers do not send unchecked checkboxes. */
async function save(browser: Browser, fields: Record<string, string>) {
  const { forms } = await browser.get(PATH)
  return browser.post(PATH, { csrf: forms.find(({ action }) => action === PATH)!.values.csrf!, ...fields })
}

test('the automated deletion of posts is off at first, with four exceptions and an age of two weeks', async () => {
  const browser = await openBrowserSession(testServer, await testServer.createUser())
  const settings = await browser.get('/auth/edit')
  assert.match(settings.html, new RegExp(`href="${PATH}"`))
  const { status, html, text } = await browser.get(PATH)
  assert.equal(status, 200)
  assert.match(text, /Automated post deletion/)
  assert.deepEqual(checkedIn(html), ['keep_pinned', 'keep_direct', 'keep_favourited', 'keep_bookmarked'])
  assert.match(html, /value="1209600"\s+selected/)
  assert.equal(html.match(/<option/g)?.length, 8)
})

test('a user enables the automated deletion of posts with exceptions of their own, and disables it again', async () => {
  const { userId } = await testServer.createUser()
  const browser = await openBrowserSession(testServer, { userId })
  const saved = await save(browser, {
    enabled: '1',
    min_age: '63113904',
    keep_polls: '1',
    keep_media: '1',
    min_favourites: ' 5 ',
    min_reblogs: '',
  })
  assert.equal(saved.status, 200)
  assert.match(saved.text, /Your changes were saved/)
  const { html } = await browser.get(PATH)
  assert.deepEqual(checkedIn(html), ['enabled', 'keep_polls', 'keep_media'])
  assert.match(html, /value="63113904"\s+selected/)
  assert.match(html, /name="min_favourites"[^>]*value="5"/)
  assert.equal((await save(browser, { min_age: '604800', min_reblogs: '2' })).status, 200)
  assert.deepEqual(await readCleanupPolicy(testServer.ctx, { userId }), {
    enabled: false,
    minAgeSeconds: 604_800,
    keepPinned: false,
    keepDirect: false,
    keepFavourited: false,
    keepBookmarked: false,
    keepPolls: false,
    keepMedia: false,
    minFavourites: null,
    minReblogs: 2,
  })
})

test('an unknown age, and numbers of interactions that are not positive, are refused and change nothing', async () => {
  const { userId } = await testServer.createUser()
  const browser = await openBrowserSession(testServer, { userId })
  const before = await readCleanupPolicy(testServer.ctx, { userId })
  const invalid: Record<string, string>[] = [
    { min_age: '3600' },
    {},
    { min_age: '604800', min_favourites: '0' },
    { min_age: '604800', min_favourites: '<b>many</b>' },
    { min_age: '604800', min_reblogs: '-1' },
    { min_age: '604800', min_reblogs: '1.5' },
    { min_age: '604800', min_reblogs: '9999999999' },
  ]
  for (const fields of invalid) {
    const answer = await save(browser, { enabled: '1', ...fields })
    assert.equal(answer.status, 422, JSON.stringify(fields))
    assert.match(answer.text, /This is not valid/)
    assert.deepEqual(await readCleanupPolicy(testServer.ctx, { userId }), before)
  }
})

test('only users who are logged in reach the page', async () => {
  const { status, headers } = await testServer.anonymous.get(PATH)
  assert.equal(status, 303)
  assert.match(String(headers['location']), /^\/auth\/sign_in\?/)
})
