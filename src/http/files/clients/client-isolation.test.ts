// Slow: drives a browser.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findPort } from '../../../../test/servers/linnet-process.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { openSession } from '../../../domain/auth/sessions.ts'
import { openSharedBrowser, withoutChromium } from '../../../../test/services/browser.ts'

const BLOB_TIMEOUT_MS = 1_000

/** A parameter for which `/.well-known/proxy` redirects to a page of the session. */
const TARGET = encodeURIComponent('web+ap://example.org/users/owner')

/** A client that tries to read the pages of the user who is logged in. */
const SCRIPT = `
  const nameOf = ({ name }) => name
  const read = (path) => fetch(path).then(({ status }) => status, nameOf)
  async function readWindow(path) {
    const opened = open(path)
    try {
      while (!opened.closed && (opened.location.href === 'about:blank' || opened.document.title === ''))
        await new Promise((resolve) => setTimeout(resolve, 20))
      return opened.closed ? 'disconnected' : opened.document.body.innerHTML
    } catch ({ name }) {
      return name === 'SecurityError' ? 'disconnected' : name
    }
  }
  function readWindowFromBlob(path) {
    const channel = new BroadcastChannel('answers')
    const answer = new Promise((resolve) => { channel.onmessage = ({ data }) => resolve(data) })
    const code = readWindow + ';readWindow("' + location.origin + path + '")' +
      '.then((found) => new BroadcastChannel("answers").postMessage(found))'
    open(URL.createObjectURL(new Blob(['<script>' + code + '</' + 'script>'], { type: 'text/html' })))
    return Promise.race([answer, new Promise((resolve) => setTimeout(resolve, ${BLOB_TIMEOUT_MS}, 'disconnected'))])
  }
  async function readFrame(path) {
    const frame = Object.assign(document.createElement('iframe'), { src: path })
    const loaded = new Promise((resolve) => { frame.onload = resolve })
    document.body.append(frame)
    await loaded
    return frame.contentDocument === null ? 'blocked' : frame.contentDocument.body.innerHTML
  }
  async function attack() {
    return {
      api: await read('/api/v2/instance'),
      page: await read('/auth/edit'),
      consent: await read('/oauth/authorize'),
      metadata: await read('/.well-known/oauth-authorization-server'),
      pageByRedirect: await read('/.well-known/change-password'),
      pageByProxy: await read('/.well-known/proxy?target=${TARGET}'),
      settingsWindow: await readWindow('/auth/edit'),
      consentWindow: await readWindow('/oauth/authorize?client_id=x'),
      windowFromBlob: await readWindowFromBlob('/auth/edit'),
      frame: await readFrame('/auth/edit'),
      serviceWorker: await navigator.serviceWorker.register('app.js').then(() => 'registered', nameOf),
    }
  }`

test(
  'a script of a third-party client uses the API, but cannot read a page of the session',
  { skip: withoutChromium },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'linnet-clients-'))
    after(() => rm(folder, { recursive: true }))
    await mkdir(join(folder, 'wren'))
    const index = '<title>Wren</title><script>document.title += " 2"</script><body><script src="app.js"></script>'
    await writeFile(join(folder, 'wren', 'index.html'), index)
    await writeFile(join(folder, 'wren', 'app.js'), SCRIPT)
    const port = await findPort()
    const origin = `http://localhost:${port}`
    const env = { CLIENTS_DIR: folder, LOCAL_DOMAIN: `localhost:${port}`, PORT: port }
    const testServer = await openTestServer({ effects: false, env })
    after(testServer.close)
    const { userId } = await testServer.createUser()
    const value = await testServer.ctx.write((tx) => openSession(tx, { userId, browser: { ip: null, userAgent: '' } }))
    await testServer.listen()
    const browser = await openSharedBrowser()
    after(() => browser.close())
    const context = await browser.newContext()
    await context.addCookies([{ name: 'linnet-session', value, url: origin }])
    const page = await context.newPage()
    await page.goto(`${origin}/clients/wren/`)
    assert.equal(await page.title(), 'Wren 2', 'the inline script runs')
    assert.deepEqual(await page.evaluate('attack()'), {
      api: 200,
      page: 'TypeError',
      consent: 'TypeError',
      metadata: 200,
      pageByRedirect: 'TypeError',
      pageByProxy: 'TypeError',
      settingsWindow: 'disconnected',
      consentWindow: 'disconnected',
      windowFromBlob: 'disconnected',
      frame: 'blocked',
      serviceWorker: 'TypeError',
    })
  },
)
