import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { SharedBrowser } from '../services/browser.ts'

interface ContextPool {
  /** Opens a page without cookies and without data of the origin. Closing its context returns it to the pool. */
  openPage(): Promise<Page>
}

/**
 * Returns browser contexts that clients use one after the other. In a new context, the browser loads and compiles the
 * client, which takes half of the processor time of a short test. Here, loaded and compiled files remain.
 */
export function createContextPool({
  browser,
  options,
  onError,
}: {
  browser: SharedBrowser
  options: BrowserContextOptions & { baseURL: string }
  onError: (error: Error) => void
}): ContextPool {
  const free: BrowserContext[] = []

  return {
    async openPage() {
      const reused = free.pop()
      if (reused) return openEmptyPage(reused, options.baseURL)
      const context = await browser.newContext(options)
      context.on('weberror', (event) => onError(event.error()))
      // The state of service workers is not reset.
      if (options.serviceWorkers === 'block') {
        // All pages of a context have one process (test/services/browser.ts), which ends with the last of them.
        const lastPage = await context.newPage()
        await lastPage.goto('/livez')
        context.close = async () => {
          await reset(context, lastPage)
          free.push(context)
        }
      }
      return context.newPage()
    },
  }
}

async function reset(context: BrowserContext, lastPage: Page): Promise<void> {
  for (const page of context.pages()) if (page !== lastPage) await page.close()
  await context.unrouteAll()
  await context.setOffline(false)
  await context.clearPermissions()
  await context.clearCookies()
}

async function openEmptyPage(context: BrowserContext, origin: string): Promise<Page> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb,cache_storage' })
  await session.detach()
  return page
}
