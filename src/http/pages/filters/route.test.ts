import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openBrowserSession } from '../../../../test/http/open-session.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)

test('a filter is created, changed and deleted by the pages, and applies in the API', async () => {
  const ada = await testServer.createUser()
  const browser = await openBrowserSession(testServer, ada)
  assert.match((await browser.get('/settings/filters')).text, /You have no filters yet/)
  const created = await browser.submit(await browser.get('/settings/filters/new'), '/settings/filters', {
    title: 'Spoilers <b>',
    filter_action: 'hide',
    expires_in: '3600',
    'keywords[0][keyword]': 'finale',
    'keywords[2][keyword]': 'season two',
  })
  assert.equal(created.location, '/settings/filters')
  const [filter] = (await ada.client.get('/api/v2/filters')).body
  assert.equal(filter.title, 'Spoilers <b>')
  assert.equal(filter.filter_action, 'hide')
  assert.deepEqual(filter.context, ['home', 'notifications', 'public', 'thread', 'account'])
  assert.deepEqual(
    filter.keywords.map(({ keyword }: { keyword: string }) => keyword),
    ['finale', 'season two'],
  )
  const list = await browser.get('/settings/filters')
  assert.match(list.text, /Spoilers <b>\s*Hide completely · 2 keywords · Expires on/)
  const path = `/settings/filters/${filter.id}/edit`
  const page = await browser.get(path)
  const form = page.forms.find(({ action }) => action === `/settings/filters/${filter.id}`)!
  assert.match(page.html, /value="keep"\s+selected/)
  const { 'contexts[2]': context, 'keywords[0][whole_word]': _, ...kept } = form.values
  assert.equal(context, 'public')
  const changed = await browser.post(form.action, {
    ...kept,
    expires_in: 'keep',
    'keywords[0][keyword]': 'Finale!',
    'keywords[1][keyword]': '',
    'keywords[2][keyword]': 'third',
  })
  assert.equal(changed.location, '/settings/filters')
  const [after] = (await ada.client.get('/api/v2/filters')).body
  assert.equal(after.expires_at, filter.expires_at)
  assert.deepEqual(after.context, ['home', 'notifications', 'thread', 'account'])
  assert.deepEqual(
    after.keywords.map(({ keyword, whole_word: whole }: { keyword: string; whole_word: boolean }) => [keyword, whole]),
    [
      ['Finale!', false],
      ['third', true],
    ],
  )
  assert.equal((await browser.submit(page, `/settings/filters/${filter.id}/delete`)).location, '/settings/filters')
  assert.deepEqual((await ada.client.get('/api/v2/filters')).body, [])
  assert.equal((await browser.get(path)).status, 404)
})

test('a form with problems shows them with what was entered, and filters of others do not exist', async () => {
  const [ada, bea] = [await testServer.createUser(), await testServer.createUser()]
  const [browser, other] = [await openBrowserSession(testServer, ada), await openBrowserSession(testServer, bea)]
  const page = await browser.get('/settings/filters/new')
  const { csrf } = page.forms[0]!.values
  const empty = await browser.post('/settings/filters', {
    csrf: csrf!,
    title: '',
    'contexts[0]': 'home',
    'keywords[0][keyword]': 'kept word',
  })
  assert.equal(empty.status, 422)
  assert.match(empty.text, /Name: This field is required/)
  assert.match(empty.html, /value="kept word"/)
  const nowhere = await browser.post('/settings/filters', { csrf: csrf!, title: 'Name' })
  assert.equal(nowhere.status, 422)
  assert.match(nowhere.text, /Where the filter applies: This field is required/)
  const { body: filter } = await ada.client.post('/api/v2/filters', { title: 'Mine', context: ['home'] })
  assert.equal((await other.get(`/settings/filters/${filter.id}/edit`)).status, 404)
  const foreign = (await other.get('/settings/filters/new')).forms[0]!.values.csrf!
  const fields = { csrf: foreign, title: 'Stolen', 'contexts[0]': 'home' }
  assert.equal((await other.post(`/settings/filters/${filter.id}`, fields)).status, 404)
  assert.equal((await other.post(`/settings/filters/${filter.id}/delete`, { csrf: foreign })).status, 404)
  assert.equal((await ada.client.get('/api/v2/filters')).body[0].title, 'Mine')
})

test('after a problem, the chosen time and emptied keywords are kept, too', async () => {
  const ada = await testServer.createUser()
  const browser = await openBrowserSession(testServer, ada)
  const { body: filter } = await ada.client.post('/api/v2/filters', {
    title: 'Birds',
    context: ['home'],
    keywords_attributes: [{ keyword: 'finch' }, { keyword: 'wren' }],
  })
  const path = `/settings/filters/${filter.id}`
  const { values } = (await browser.get(`${path}/edit`)).forms.find(({ action }) => action === path)!
  const { 'contexts[0]': _, ...others } = values
  const refused = await browser.post(path, { ...others, expires_in: '3600', 'keywords[1][keyword]': '' })
  assert.equal(refused.status, 422)
  const shown = refused.forms.find(({ action }) => action === path)!
  assert.match(refused.html, /value="3600"\s+selected/)
  const changed = await browser.post(path, { ...shown.values, 'contexts[0]': 'home' })
  assert.equal(changed.location, '/settings/filters')
  const { body: after } = await ada.client.get(`/api/v2/filters/${filter.id}`)
  assert.deepEqual(
    after.keywords.map(({ keyword }: { keyword: string }) => keyword),
    ['finch'],
  )
})
