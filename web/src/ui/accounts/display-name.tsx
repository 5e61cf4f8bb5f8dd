import type { Account } from '../../lib/api/entities.ts'
import { renderEmojis } from '../../lib/html/render-html.tsx'

/** The display name of an account with its custom emojis; the username if it is empty. */
export function DisplayName({ account }: { account: Pick<Account, 'displayName' | 'username' | 'emojis'> }) {
  const emojis = new Map(account.emojis.map((emoji) => [emoji.shortcode, emoji]))
  return <bdi>{renderEmojis(account.displayName || account.username, emojis)}</bdi>
}
