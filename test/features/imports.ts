import assert from 'node:assert/strict'
import type { Browser, PageResponse } from '../http/browser.ts'
import type { TestServer } from '../servers/test-server.ts'

interface ImportFile {
  type: string
  mode?: 'merge' | 'overwrite'
  content: string | Buffer
  name?: string
}

/** Uploads a file on the page of imports. */
export async function uploadImport(
  browser: Browser,
  { type, mode = 'merge', content, name = 'list.csv' }: ImportFile,
): Promise<PageResponse> {
  const file = { filename: name, type: 'text/csv', bytes: Buffer.from(content) }
  return browser.upload(await browser.get('/settings/imports'), '/settings/imports', { type, mode, file })
}

/** Uploads a file and confirms the import. Returns the path of its page. */
export async function confirmImport(browser: Browser, file: ImportFile): Promise<string> {
  const { location, text } = await uploadImport(browser, file)
  assert.match(location ?? text, /^\/settings\/imports\/\d+$/)
  const confirmed = await browser.submit(await browser.get(location!), `${location}/confirm`)
  assert.deepEqual([confirmed.status, confirmed.location], [303, location])
  return location!
}

/** Imports a file and waits until it is finished. Returns the text of its page and the failed rows. */
export async function importFile(
  { waitForJobs }: Pick<TestServer, 'waitForJobs'>,
  { browser, ...file }: ImportFile & { browser: Browser },
): Promise<{ path: string; text: string; failures: string }> {
  const path = await confirmImport(browser, file)
  await waitForJobs()
  const { text } = await browser.get(path)
  assert.match(text, /Finished/)
  return { path, text, failures: (await browser.get(`${path}/failures.csv`)).html }
}
