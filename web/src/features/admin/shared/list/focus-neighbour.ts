/**
 * Focuses the article after the focused one, else the one before it, before the focused one disappears from a list.
 * Without one, the heading of the page gets the focus. Closes an open dialog, behind which nothing can have the focus.
 */
export function focusNeighbour(article: HTMLElement | null): void {
  document.querySelector<HTMLDialogElement>('main dialog[open]')?.close()
  const articles = [...document.querySelectorAll<HTMLElement>('main article[tabindex]')]
  const index = article ? articles.indexOf(article) : -1
  const neighbour = index === -1 ? undefined : (articles[index + 1] ?? articles[index - 1])
  ;(neighbour ?? document.querySelector<HTMLElement>('main h1'))?.focus()
}
