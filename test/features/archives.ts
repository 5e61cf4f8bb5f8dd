import assert from 'node:assert/strict'
import { buffer, text } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import type { Browser, PageResponse } from '../http/browser.ts'
import type { TestServer } from '../servers/test-server.ts'

/** Downloads a file as the user of a browser. */
export async function download(
  { server }: Pick<TestServer, 'server'>,
  { browser, path }: { browser: Browser; path: string },
): Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const { statusCode, headers, rawPayload } = await server.inject({ url: path, headers: { cookie } })
  return { status: statusCode, headers, bytes: rawPayload }
}

/** Returns the files of a ZIP as text (Latin-1, so that no byte is lost) by their paths, in their order. */
export async function readZip(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(bytes, { strictFileNames: true })
  const files = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    const stream = await zip.openReadStreamPromise(entry)
    files.set(entry.fileName, await text(stream.setEncoding('latin1')))
  }
  return files
}

/** Returns a ZIP with these files. */
export async function writeZip(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream)
}

/** Uploads an archive on the page of imports. */
export async function uploadArchive(browser: Browser, bytes: Buffer): Promise<PageResponse> {
  const archive = { filename: 'archive.zip', type: 'application/zip', bytes }
  return browser.upload(await browser.get('/settings/imports'), '/settings/imports/archive', { archive })
}

/** Uploads an archive and confirms the import of its posts. Returns the path of its page. */
export async function confirmArchiveImport(browser: Browser, bytes: Buffer): Promise<string> {
  const { location, text: page } = await uploadArchive(browser, bytes)
  assert.match(location ?? page, /^\/settings\/imports\/\d+$/)
  const confirmed = await browser.submit(await browser.get(location!), `${location}/confirm`)
  assert.deepEqual([confirmed.status, confirmed.location], [303, location])
  return location!
}
