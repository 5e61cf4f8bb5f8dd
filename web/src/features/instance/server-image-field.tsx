import { message } from '../../lib/i18n/messages.ts'
import { PictureField } from '../../ui/forms/picture-field.tsx'
import type { ServerImageDraft } from './server-image.ts'

/** The image of the server, in the format in which link previews show it. */
export function ServerImageField({
  current,
  draft,
  error,
  onChange,
}: {
  /** The URL of the stored image; null if there is none. */
  current: string | null
  draft: ServerImageDraft
  error: string
  onChange: (draft: ServerImageDraft) => void
}) {
  return (
    <PictureField
      shape="thumbnail"
      texts={{
        title: message('web.server-image.title'),
        hint: message('web.server-image.hint'),
        file: message('web.server-image.file'),
        choose: message('web.server-image.choose'),
        remove: message('web.server-image.remove'),
        description: message('web.server-image.description'),
      }}
      current={current}
      change={draft.change}
      // A new image needs a description of its own.
      onChange={(change) => onChange({ change, description: change.type === 'keep' ? draft.description : '' })}
      description={draft.description}
      onDescription={(description) => onChange({ ...draft, description })}
      error={error}
    />
  )
}
