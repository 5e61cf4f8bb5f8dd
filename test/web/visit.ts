import type { Page } from 'playwright-core'

/**
 * Opens a page of the client without loading the client again, which would take more processor time, and waits for
 * its heading. The page is loaded if it may keep the heading: on the same path, or beside it in a section such
 * as `/admin/settings/`.
 */
export async function visit(page: Page, path: string): Promise<void> {
  const [from, to] = [new URL(page.url()), new URL(path, page.url())]
  if (from.href === to.href) return
  if (from.pathname === to.pathname || (sectionOf(to) !== null && sectionOf(from) === sectionOf(to))) {
    await page.goto(path)
    return
  }
  await page.locator('main h1').first().waitFor()
  // The router follows a new URL as it follows a link.
  await page.evaluate(`
    document.querySelectorAll('main h1').forEach((heading) => heading.setAttribute('data-left', ''))
    history.pushState(null, '', ${JSON.stringify(path)})`)
  await page.locator('main h1:not([data-left])').first().waitFor()
}

function sectionOf({ pathname }: URL): string | null {
  return /^\/\w+\/\w+\//.exec(pathname)?.[0] ?? null
}
