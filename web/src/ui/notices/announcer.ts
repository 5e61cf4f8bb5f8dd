/** Announces a text to screen readers, without moving the focus. The newest text replaces the one before. */
export function announce(text: string): void {
  const region = document.querySelector('#announcements')
  if (region) region.textContent = text
}
