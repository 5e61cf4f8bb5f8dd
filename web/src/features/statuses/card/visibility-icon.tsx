import type { Status } from '../../../lib/api/entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Icon } from '../../../ui/icons/icon.tsx'

const ICONS = { unlisted: 'unlisted', private: 'lock', direct: 'at' } as const

/** Who can see a status, unless everybody can. */
export function VisibilityIcon({ visibility }: { visibility: Status['visibility'] }) {
  if (visibility === 'public') return null
  const label = message(`web.visibility.${visibility}`)
  return (
    <span title={label}>
      <Icon name={ICONS[visibility]} />
      <span className="unseen">{label}</span>
    </span>
  )
}
