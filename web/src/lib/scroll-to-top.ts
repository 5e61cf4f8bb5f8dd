/** Scrolls the page to its top, and moves the focus to its heading, from which the keyboard goes on. */
export function scrollToTop(): void {
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  window.scrollTo(0, 0)
}
