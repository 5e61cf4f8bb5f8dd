import type { Read } from '../domain/context.ts'
import type { Preferences } from '../entities/preferences.ts'
import { NotFound } from '../lib/errors.ts'
import { statement } from '../platform/db/connect.ts'

interface Facts {
  locked: boolean
  locale: string
  default_privacy: Preferences['posting:default:visibility'] | null
  default_sensitive: boolean
  default_language: string | null
  default_quote_policy: Preferences['posting:default:quote_policy']
  expand_media: Preferences['reading:expand:media']
  expand_spoilers: boolean
  autoplay_gifs: boolean
}

const load = statement<Facts>(
  `select a.locked, u.locale, u.default_privacy, u.default_sensitive, u.default_language, u.default_quote_policy,
     u.expand_media, u.expand_spoilers, u.autoplay_gifs
   from users u join accounts a on a.id = u.account_id where u.account_id = $1`,
)

/** How somebody wants to write and to read. @throws NotFound for somebody who is not of here */
export async function renderPreferences(read: Read, { accountId }: { accountId: string }): Promise<Preferences> {
  const [facts] = await load(read.db, [accountId])
  if (!facts) throw new NotFound()
  return {
    'posting:default:visibility': facts.default_privacy ?? (facts.locked ? 'private' : 'public'),
    'posting:default:sensitive': facts.default_sensitive,
    'posting:default:language': facts.default_language ?? facts.locale,
    'posting:default:quote_policy': facts.default_quote_policy,
    'reading:expand:media': facts.expand_media,
    'reading:expand:spoilers': facts.expand_spoilers,
    'reading:autoplay:gifs': facts.autoplay_gifs,
  }
}
