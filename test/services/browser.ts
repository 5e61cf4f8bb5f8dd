import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { closeAtEndOfProcess } from '../runner/shared-process-end.ts'

/** The headless shell of Chromium draws nothing on a screen, which takes a quarter less processor time. */
const PROGRAMS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

const program = PROGRAMS.find((path) => existsSync(path))

/** A reason to skip tests in a browser; false if Chromium is installed. */
export const withoutChromium = program === undefined ? 'Chromium is not installed' : false

/** The browser must not send requests beyond this machine. */
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Optimizing scripts takes more processor time than pages that are open for seconds regain from it. */
const UNOPTIMIZED_SCRIPTS = '--js-flags=--no-opt,--no-maglev'

/** The pages of a context share a process, so that they start it and compile scripts only once. */
const ONE_PROCESS = '--process-per-site'

/** Starts Chromium, with further arguments. @throws Error if it is not installed */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  if (program === undefined) {
    throw new Error('Chromium is not installed (Debian: apt-get install chromium-headless-shell)')
  }
  const isRoot = process.getuid?.() === 0
  return chromium.launch({ executablePath: program, args: [...(isRoot ? ['--no-sandbox'] : []), ...QUIET, ...more] })
}

/** The time limit for anything that a page waits for, much longer than it needs. */
const TIMEOUT_MS = 60_000

/** A browser for one test file. `close` closes the contexts that were opened with it. */
export type SharedBrowser = Pick<Browser, 'newContext' | 'newPage' | 'close'>

let shared: Browser | undefined

/** Returns the browser of a shared process, or a new one. */
export async function openSharedBrowser(): Promise<SharedBrowser> {
  const browser = shared?.isConnected() ? shared : await openBrowser([ONE_PROCESS, UNOPTIMIZED_SCRIPTS])
  const isShared = browser === shared || closeAtEndOfProcess(() => browser.close())
  if (isShared) shared = browser
  const closings: (() => Promise<void>)[] = []
  const newContext: Browser['newContext'] = async (options) => {
    const context = await browser.newContext(options)
    context.setDefaultTimeout(TIMEOUT_MS)
    closings.push(context.close.bind(context))
    return context
  }
  return {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    async close() {
      for (const close of closings) await close()
      if (!isShared) await browser.close()
    },
  }
}
