import { text } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import type { Browser } from '../http/browser.ts'
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
