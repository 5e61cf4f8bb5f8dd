import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { confirmArchiveImport, download } from '../../../test/features/archives.ts'
import { openBrowserSession } from '../../../test/http/open-session.ts'
import { uploadFile } from '../../../test/http/upload-file.ts'
import { createImage } from '../../../test/media/images.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { Status } from '../../entities/statuses/status.ts'

const former = await openTestServer({ env: { LOCAL_DOMAIN: 'former.test' } })
after(former.close)
const later = await openTestServer({ env: { LOCAL_DOMAIN: 'later.test' } })
after(later.close)

/** What an import preserves. */
const preserved = (statuses: readonly Status[]) =>
  statuses.map((status) => ({
    at: status.created_at.slice(0, 19),
    content: status.content!.replaceAll('former.test', 'later.test'),
    warning: status.spoiler_text,
    language: status.language,
    visibility: status.visibility,
    isReply: status.in_reply_to_id !== null,
    tags: status.tags.map(({ name }) => name),
    media: status.media_attachments.map(({ type, description }) => [type, description]),
    poll: status.poll?.options.map(({ title }) => title),
  }))

test('the archive of an account of one server of Linnet is imported by another one', async () => {
  const ada = await former.createUser({ username: 'ada' })
  const post = async (body: object) => (await ada.client.post<Status>('/api/v1/statuses', body)).body
  const { body: media } = await uploadFile(ada, await createImage('png', { width: 32, height: 32 }), {
    description: 'A square',
  })
  const image = await post({ status: 'With an image #art', media_ids: [media.id], spoiler_text: 'Art', language: 'fr' })
  await post({
    status: 'More\nlines\n\nhttps://example.com/a?b=1&c=2',
    in_reply_to_id: image.id,
    visibility: 'unlisted',
  })
  await post({ status: 'Only for <followers>', visibility: 'private' })
  await post({ status: 'Tea?', poll: { options: ['yes', 'no'], expires_in: 600 } })
  await post({ status: 'Psst @ada', visibility: 'direct' })
  const browser = await openBrowserSession(former, ada)
  await browser.submit(await browser.get('/settings/export'), '/settings/export')
  await former.waitForJobs()
  const [, path] =
    /href="(\/settings\/exports\/archives\/\d+)"/.exec((await browser.get('/settings/export')).html) ?? []
  const { bytes } = await download(former, { browser, path: path! })

  const eve = await later.createUser({ username: 'eve' })
  const laterBrowser = await openBrowserSession(later, eve)
  const page = await confirmArchiveImport(laterBrowser, bytes)
  await later.waitForJobs()
  assert.match((await laterBrowser.get(page)).text, /Finished.*Imported: 4 of 4/)
  const { body: before } = await ada.client.get<Status[]>(`/api/v1/accounts/${ada.accountId}/statuses`)
  const { body: imported } = await eve.client.get<Status[]>(`/api/v1/accounts/${eve.accountId}/statuses`)
  assert.deepEqual(preserved(imported), preserved(before.filter(({ visibility }) => visibility !== 'direct')))

  const own = await confirmArchiveImport(browser, bytes)
  await former.waitForJobs()
  assert.match((await browser.get(own)).text, /Finished.*Imported: 4 of 4/, 'its own account has the posts already')
  const { body: unchanged } = await ada.client.get<Status[]>(`/api/v1/accounts/${ada.accountId}/statuses`)
  assert.equal(unchanged.length, before.length)
})
