import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { CommandError, runOrReport } from '../src/cli/command-error.ts'
import { openBrowser } from '../test/services/browser.ts'
import { SCENES } from './screenshot-scenes.ts'
import type { Scene } from './screenshot-scenes.ts'

const WIDTHS = { wide: { width: 1280, height: 900 }, narrow: { width: 375, height: 812 } }
const THEMES = ['light', 'dark'] as const

interface Demo {
  origin: string
  /** The e-mail address and the password of a user, by role. */
  logins: Map<string, { email: string; password: string }>
  stop(): Promise<void>
}

/** Starts the demo server, which creates its data at its first start. */
async function startDemo(): Promise<Demo> {
  const child = spawn(join(import.meta.dirname, 'demo'), { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const pattern = /Log in at (\S+)\/auth\/sign_in as\n\n((?: {2}.+\n)+)/
  while (!pattern.test(output)) {
    if (child.exitCode !== null) throw new CommandError(`The demo did not start: ${output}`)
    await Promise.race([once(child.stdout, 'data'), closed])
  }
  const [, origin = '', lines = ''] = pattern.exec(output)!
  const logins = lines
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/))
  return {
    origin,
    logins: new Map(logins.map(([role = '', email = '', password = '']) => [role, { email, password }])),
    async stop() {
      child.kill('SIGTERM')
      await closed
    },
  }
}

/** Logs a user in. Returns the state of the browser, for further contexts. */
async function logIn(browser: Browser, { origin, logins }: Demo, role: string) {
  const context = await browser.newContext({ baseURL: origin })
  const page = await context.newPage()
  await page.goto('/auth/sign_in?next=/home')
  const { email, password } = logins.get(role)!
  await page.locator('input[name=login]').first().fill(email)
  await page.locator('input[type=password]').fill(password)
  await page.locator('main form button').first().click()
  await page.locator('#root main').waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

/** Waits until a page shows its content with all pictures in the window. */
async function waitForContent(page: Page): Promise<void> {
  await page.locator('main h1, dialog[open], #root h1').first().waitFor()
  // The side column of wide windows comes after the page.
  if ((await page.locator('aside').count()) > 0) await page.locator('aside footer').waitFor()
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined)
  for (const placeholder of ['[aria-busy=true]', 'div[aria-hidden=true] > div[class*=avatar]'])
    await page.locator(placeholder).first().waitFor({ state: 'detached' })
  await page.evaluate('Promise.all([...document.images].map((image) => image.loading === "lazy" || image.decode()))')
}

async function takeScreenshots({ folder, only }: { folder: string; only: RegExp }): Promise<void> {
  await mkdir(folder, { recursive: true })
  const demo = await startDemo()
  const browser = await openBrowser()
  try {
    const states = { owner: await logIn(browser, demo, 'owner'), user: await logIn(browser, demo, 'user') }
    const scenes = SCENES.filter(({ name }) => only.test(name))
    for (const [width, viewport] of Object.entries(WIDTHS)) {
      for (const theme of THEMES) {
        for (const role of ['user', 'owner'] as const) {
          const context = await browser.newContext({
            baseURL: demo.origin,
            viewport,
            colorScheme: theme,
            locale: 'en-GB',
            reducedMotion: 'reduce',
            storageState: states[role],
          })
          for (const scene of scenes.filter((one) => (one.role ?? 'user') === role))
            await takeScreenshot(context, {
              scene,
              viewport,
              file: join(folder, `${scene.name}-${width}-${theme}.png`),
            })
          await context.close()
        }
      }
    }
  } finally {
    await browser.close()
    await demo.stop()
  }
}

async function takeScreenshot(
  context: BrowserContext,
  { scene, viewport, file }: { scene: Scene; viewport: { width: number; height: number }; file: string },
): Promise<void> {
  const page = await context.newPage()
  try {
    const isWide = viewport.width === WIDTHS.wide.width
    await page.setViewportSize(isWide && scene.width ? { ...viewport, width: scene.width } : viewport)
    await page.goto(scene.path)
    await waitForContent(page)
    await scene.prepare?.(page)
    await waitForContent(page)
    await page.screenshot({ path: file })
    console.log(file)
  } catch (err) {
    process.exitCode = 1
    console.error(`${file}: ${err instanceof Error ? err.message : String(err)}`)
  } finally {
    await page.close()
  }
}

await new Command('screenshots')
  .description('take pictures of the web client on the demo server')
  .option('--folder <path>', 'the folder of the pictures; default: a new temporary one')
  .option('--only <regex>', 'only the pages whose name matches', '')
  .action(async (options: { folder?: string; only: string }) => {
    const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'linnet-screenshots-')))
    await runOrReport(() => takeScreenshots({ folder, only: new RegExp(options.only) }))
    process.exit()
  })
  .parseAsync()
