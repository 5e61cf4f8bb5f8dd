/** Moves the focus from an item of a list, which will be removed, to the next one, or to the heading of the page. */
export function focusNeighbour(element: HTMLElement): void {
  const item = element.closest('li')
  const next = item?.nextElementSibling ?? item?.previousElementSibling
  const target = next?.querySelector<HTMLElement>('button') ?? document.querySelector<HTMLElement>('main h1')
  target?.focus()
}
