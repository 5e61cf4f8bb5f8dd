import { startData } from '../../lib/start-data.ts'

let title = ''
let unreadCount = 0

/** Sets the title of the window to that of a page. */
export function setPageTitle(next: string): void {
  title = next
  update()
}

/** Shows a number of unread notifications before the title of the window; none if it is 0. */
export function setUnreadCount(next: number): void {
  unreadCount = next
  update()
}

function update(): void {
  const name = title === '' ? startData.siteTitle : `${title} · ${startData.siteTitle}`
  document.title = unreadCount > 0 ? `(${unreadCount}) ${name}` : name
}
