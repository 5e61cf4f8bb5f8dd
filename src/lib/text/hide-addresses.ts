/** E-mail addresses and handles. Mail servers repeat the address of the recipient in their errors. */
const ADDRESS = /[^\s<>"'(),:;]+@[^\s<>"'(),:;]+/g

/** Returns a text without e-mail addresses. */
export function hideAddresses(text: string): string {
  return text.replace(ADDRESS, '…')
}
