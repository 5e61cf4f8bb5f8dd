// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createRemoteAccount } from '../federation/remote-records.ts'
import { createCollection, createDiscoverableUser, readCollection } from '../features/collections.ts'
import { checkPage } from '../http/pages/check-page.ts'
import type { TestUser } from '../servers/test-server.ts'
import { withoutChromium } from '../services/browser.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { changeView, checkViews, NARROW } from './views.ts'
import { visit } from './visit.ts'
import { untilFocused } from './wait-until.ts'

suite('collections in the web client', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let ada: TestUser
  let bo: TestUser
  let cy: TestUser

  before(async () => {
    web = await openWebClientTest()
    const { testServer } = web
    ada = await createDiscoverableUser(testServer, { username: 'ada' })
    bo = await createDiscoverableUser(testServer, { username: 'bo' })
    cy = await createDiscoverableUser(testServer, { username: 'cy' })
    await createDiscoverableUser(testServer, { username: 'eve', discoverable: false })
  })
  after(() => web?.close())

  const collectionsOf = async (user: TestUser) =>
    (await user.client.get(`/api/v1/accounts/${user.accountId}/collections`)).body.collections
  const openMenu = async (page: Page, name: string, item: string) => {
    await page.getByRole('button', { name: `More about ${name}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  test('a collection is created after its mistakes are explained, gets an account by search, and is deleted after a question', async () => {
    const page = await web.openClient(ada, { path: '/home' })
    await page.getByRole('navigation').getByRole('link', { name: 'Collections' }).click()
    await page.getByText('No collections yet').waitFor()
    await page.getByRole('button', { name: 'New collection' }).click()
    const form = page.getByRole('dialog', { name: 'New collection' })
    await form.getByRole('textbox', { name: 'Name' }).fill('Birders')
    await form.getByRole('textbox', { name: 'Description' }).fill('People who watch <birds>')
    await form.getByRole('combobox', { name: 'Language' }).selectOption('de')
    await form.getByRole('checkbox', { name: 'Show on profile' }).uncheck()
    const topic = form.getByRole('textbox', { name: 'Topic' })
    await topic.fill('two words')
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByText('Use a single hashtag without spaces').waitFor()
    await untilFocused(topic)
    await checkPage(page, 'the form of a collection with an error')
    await topic.fill('#Birds')
    await form.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Birders' }).waitFor()
    const [created] = await collectionsOf(ada)
    assert.deepEqual(
      [created.description, created.language, created.tag.name, created.discoverable, created.sensitive],
      ['People who watch <birds>', 'de', 'Birds', false, false],
    )

    await page.getByRole('button', { name: 'Add accounts' }).click()
    const search = page.getByRole('dialog', { name: 'Add accounts' })
    await search.getByRole('searchbox').fill('eve')
    await search.getByText('Does not allow others to add it').waitFor()
    assert.equal(await search.getByRole('button', { name: /^Add/ }).count(), 0)
    await search.getByRole('searchbox').fill('cy')
    // The account changes its mind after it was found.
    await search.getByRole('button', { name: 'Add @cy' }).waitFor()
    await cy.client.patch('/api/v1/accounts/update_credentials', { discoverable: false })
    await search.getByRole('button', { name: 'Add @cy' }).click()
    await page.getByRole('alert').filter({ hasText: 'This account cannot be added' }).waitFor()
    await cy.client.patch('/api/v1/accounts/update_credentials', { discoverable: true })
    await search.getByRole('searchbox').fill('bo')
    await search.getByRole('button', { name: 'Add @bo' }).click()
    await search.getByRole('button', { name: 'Remove @bo' }).waitFor()
    await search.getByText('1 of 25 accounts').waitFor()
    await checkPage(page, 'the search for accounts of a collection')
    await search.getByRole('button', { name: 'Close' }).first().click()
    await page.getByRole('list', { name: 'Birders' }).getByRole('button', { name: 'Follow @bo' }).waitFor()

    await openMenu(page, 'the collection Birders', 'Delete collection')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No collections yet').waitFor()
    assert.deepEqual(await collectionsOf(ada), [])
    await visit(page, `/collections/${created.id}`)
    await page.getByText('This page does not exist').waitFor()
    await page.context().close()
  })

  test('an owner sees who has not answered or has left, and edits and shortens the collection', async () => {
    const { db } = web.testServer.ctx
    const remoteId = await createRemoteAccount(web.testServer.ctx, {
      featurePolicy: { automatic: ['public'], manual: [] },
    })
    const accountIds = [bo.accountId, cy.accountId, remoteId]
    const { id, items } = await createCollection(ada, { name: 'Finches', account_ids: accountIds })
    const left = items.find(({ account_id: accountId }) => accountId === bo.accountId)!.id
    await bo.client.post(`/api/v1/collections/${id}/items/${left}/revoke`)
    await db.updateTable('roles').set({ collection_limit: 1 }).execute()
    const page = await web.openClient(ada, { path: `/collections/${id}` })
    const members = page.getByRole('list', { name: 'Finches' })
    await members.getByText('Waiting for approval').waitFor()
    await page.getByText('1 account has declined or left').waitFor()
    await members.getByRole('button', { name: 'Remove @cy' }).click()
    await members.getByRole('button', { name: 'Remove @cy' }).waitFor({ state: 'detached' })
    await untilFocused(members.getByRole('button', { name: /^Remove @/ }))
    const { collection } = await readCollection(ada.client, id)
    assert.deepEqual(
      collection.items.map(({ state }) => state),
      ['revoked', 'pending'],
    )
    await openMenu(page, 'the collection Finches', 'Edit collection')
    const form = page.getByRole('dialog', { name: 'Edit collection' })
    await form.getByRole('textbox', { name: 'Name' }).fill('Finches and tits')
    await form.getByRole('checkbox', { name: 'Mark as sensitive' }).check()
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Finches and tits' }).waitFor()
    await visit(page, '/collections')
    await page.getByText('You have reached the maximum number of collections (1)').waitFor()
    assert.equal(await page.getByRole('button', { name: 'New collection' }).count(), 0)
    await db.updateTable('roles').set({ collection_limit: 10 }).execute()
    await ada.client.delete(`/api/v1/collections/${id}`)
    await page.context().close()
  })

  test('the notification about a collection opens it, and its account can leave it for good', async () => {
    const { id } = await createCollection(ada, { name: 'Waders', account_ids: [bo.accountId] })
    await web.testServer.waitForJobs()
    const page = await web.openClient(bo, { path: '/notifications' })
    const notification = page.getByRole('article', { name: 'ada added you to a collection' })
    await notification.waitFor()
    await checkPage(page, 'a notification about a collection')
    await notification.getByRole('link', { name: 'Waders' }).click()
    await page.getByRole('heading', { name: 'Waders' }).waitFor()
    await page.getByText('Curated by ada').waitFor()
    await page.getByRole('button', { name: 'Remove me' }).click()
    const question = page.getByRole('dialog', { name: 'Remove yourself?' })
    await checkPage(page, 'the question before an account leaves a collection')
    await question.getByRole('button', { name: 'Remove me' }).click()
    await page.getByText('You are no longer in “Waders”').waitFor()
    await page.getByText('You are in this collection').waitFor({ state: 'detached' })
    await untilFocused(page.getByRole('heading', { name: 'Waders' }))
    const { collection } = await readCollection(ada.client, id)
    assert.deepEqual(
      collection.items.map(({ state }) => state),
      ['revoked'],
    )
    await ada.client.delete(`/api/v1/collections/${id}`)
    await page.context().close()
  })

  test('from its profile, an account is added to a collection, and its own one is opened, uncovered and reported', async () => {
    const { id } = await createCollection(ada, { name: 'Owls' })
    const foreign = await createCollection(cy, {
      name: 'Spiders',
      description: 'Large ones',
      sensitive: true,
      account_ids: [bo.accountId],
    })
    const page = await web.openClient(ada, { path: '/@cy' })
    await openMenu(page, '@cy', 'Add to collections')
    const dialog = page.getByRole('dialog', { name: 'Collections with @cy' })
    const added = page.waitForResponse((response) => response.url().endsWith('/items') && response.ok())
    await dialog.getByRole('checkbox', { name: 'Owls' }).check()
    await added
    await checkPage(page, 'the collections of an account')
    await dialog.getByRole('button', { name: 'Close' }).click()
    assert.equal((await readCollection(ada.client, id)).collection.items[0]?.account_id, cy.accountId)

    await page.getByRole('link', { name: 'Featured' }).click()
    await page.getByRole('link', { name: 'Spiders' }).click()
    await page.getByText('cy marked the description and the accounts').waitFor()
    assert.equal(await page.getByText('Large ones').count(), 0)
    await page.getByRole('button', { name: 'Show anyway' }).click()
    await page.getByText('Large ones').waitFor()
    await page.getByRole('button', { name: 'Follow @bo' }).waitFor()
    await openMenu(page, 'the collection Spiders', 'Report collection')
    const report = page.getByRole('dialog', { name: 'Report @cy' })
    await report.getByText('The collection “Spiders” is part of this report').waitFor()
    await report.getByRole('radio', { name: 'It’s spam' }).check()
    await report.getByRole('button', { name: 'Submit report' }).click()
    await report.waitFor({ state: 'detached' })
    const reports = await web.testServer.ctx.db.selectFrom('reports').select('collection_ids').execute()
    assert.deepEqual(reports, [{ collection_ids: [foreign.id] }])
    await page.context().close()
  })

  test('links to collections in posts and searches for their addresses stay in the client', async () => {
    const [collection] = await collectionsOf(ada)
    await ada.client.post('/api/v1/statuses', { status: `See ${collection.url}` })
    await web.testServer.waitForJobs()
    const page = await web.openClient(bo, { path: '/@ada' })
    await page.getByRole('article').getByRole('link', { name: '/collections/' }).press('Enter')
    await page.getByRole('heading', { name: 'Owls' }).waitFor()
    await visit(page, `/search?q=${encodeURIComponent(collection.url)}`)
    await page.getByRole('main').getByRole('link', { name: 'Owls' }).waitFor()
    assert.equal(page.context().pages().length, 2)
    await page.context().close()
  })

  test('the pages of collections are accessible, light and dark, from 320 pixels', async () => {
    const [own] = await collectionsOf(ada)
    const [foreign] = await collectionsOf(cy)
    const { id: withAda } = await createCollection(bo, { name: 'With Ada', account_ids: [ada.accountId] })
    const page = await web.openClient(ada, { path: '/collections' })
    for (const [path, content] of [
      ['/collections', 'With Ada'],
      [`/collections/${own.id}`, '@cy'],
      [`/collections/${foreign.id}`, 'Show anyway'],
      [`/collections/${withAda}`, 'You are in this collection'],
      ['/@ada/featured', 'Owls'],
    ] as const) {
      await changeView(page, NARROW)
      await visit(page, path)
      await page.getByRole('main').getByText(content).first().waitFor()
      await checkViews(page, path)
    }
    await page.context().close()
  })
})
