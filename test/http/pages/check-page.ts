import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Half as long as `axe.source`, since every document parses it anew. */
const AXE = readFileSync(new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

/** WCAG 2.2 §1.4.10: 1280 pixels at 400 %. */
const NARROWEST = 320

/**
 * Checks the accessibility of a page with all details open, and its layout in its window and in one of 320 pixels.
 * `isNarrowToo` false: not in the latter, because the test checks that itself, or could not go on afterwards.
 */
export async function checkPage(page: Page, name: string, { isNarrowToo = true } = {}): Promise<void> {
  const hasAxe = await page.evaluate<boolean>(
    `document.querySelectorAll('details').forEach((element) => element.setAttribute('open', '')), 'axe' in window`,
  )
  if (!hasAxe) await page.evaluate(AXE)
  // All rules run. Describing each element that satisfies one would take as long as the rules.
  const { passCount, violations } = await page.evaluate<{ passCount: number; violations: AxeResults['violations'] }>(
    `axe.run({ resultTypes: ['violations'] })
      .then(({ passes, violations }) => ({ passCount: passes.length, violations }))`,
  )
  assert.ok(passCount > 10, name)
  const descriptions = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  assert.deepEqual(descriptions, [], name)
  await checkLayout(page, name)
  const window = page.viewportSize()
  if (!isNarrowToo || !window || window.width <= NARROWEST) return
  await resize(page, { width: NARROWEST, height: window.height })
  try {
    await checkLayout(page, `${name} in a window of ${NARROWEST} pixels`)
  } finally {
    await resize(page, window)
  }
}

/** Listeners of media queries run before the first of these frames. */
async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size)
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
}

/** Checks that the page is no wider than the window, and that no text of buttons, headings and navigation is cut off. */
async function checkLayout(page: Page, name: string): Promise<void> {
  const { content, window, cut } = await page.evaluate<{ content: number; window: number; cut: string[] }>(MEASURE)
  assert.ok(content <= window, `${name} is ${content} pixels wide in a window of ${window}`)
  assert.deepEqual(cut, [], `${name}: texts are cut off`)
}

/**
 * Returns the width of the page and of the window, and the texts that exceed an element which clips them. What can be
 * scrolled into view is not cut off.
 */
const MEASURE = `(() => {
  const TOLERANCE = 2
  const isCut = (node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    const text = range.getBoundingClientRect()
    if (text.width === 0) return false
    for (let box = node.parentElement; box && box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(box)
      const edge = box.getBoundingClientRect()
      // Only for screen readers.
      if (edge.width <= 1) return false
      const clips = (overflow) => overflow === 'hidden' || overflow === 'clip'
      if (clips(overflowX) && (text.right > edge.right + TOLERANCE || text.left < edge.left - TOLERANCE)) return true
      if (clips(overflowY) && (text.bottom > edge.bottom + 2 * TOLERANCE || text.top < edge.top - 2 * TOLERANCE)) return true
      if (!clips(overflowX) && overflowX !== 'visible') return false
      if (position === 'fixed') return false
    }
    return false
  }
  const cut = []
  for (const element of document.querySelectorAll('button, .button, h1, h2, h3, h4, legend, summary, nav a, [role=tab]')) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const node = texts.currentNode
      if (node.data.trim() !== '' && !node.parentElement.closest('.unseen') && isCut(node)) cut.push(node.data)
    }
  }
  const { scrollWidth: content, clientWidth: window } = document.documentElement
  return { content, window, cut: [...new Set(cut)] }
})()`
