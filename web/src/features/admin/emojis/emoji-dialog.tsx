import { useEffect, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { AdminCustomEmoji } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { customEmojisQuery } from '../../emojis/custom-emojis.ts'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { showDecision } from '../shared/decisions/undo.ts'
import { useSubmit } from '../shared/form/use-submit.ts'
import { Field } from '../shared/form/field.tsx'
import { CategoryField } from './category-field.tsx'
import { saveEmoji } from './emoji-queries.ts'
import type { EmojiValues } from './emoji-queries.ts'
import admin from '../shared/admin.module.css'
import styles from './emoji-dialog.module.css'

const IMAGE_TYPES = 'image/png,image/gif,image/webp'
const MAX_SHORTCODE_CHARACTERS = 128

/** Adds an emoji to this server, or changes one. */
export function EmojiDialog({ emoji, onClose }: { emoji: AdminCustomEmoji | null; onClose: () => void }) {
  const [values, setValues] = useState<EmojiValues>({
    shortcode: emoji?.shortcode ?? '',
    image: null,
    category: emoji?.category ?? '',
    visibleInPicker: emoji?.visibleInPicker ?? true,
  })
  const { form, errors, failure, isBusy, submit } = useSubmit()
  const queryClient = useQueryClient()
  const change = (changes: Partial<EmojiValues>) => setValues({ ...values, ...changes })
  const save = () =>
    void submit(async () => {
      const { shortcode } = await saveEmoji(emoji?.id ?? null, values)
      onClose()
      showDecision({ text: message('web.admin.saved', { name: `:${shortcode}:` }), undo: null })
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['admin'] }),
        queryClient.invalidateQueries({ queryKey: customEmojisQuery.queryKey }),
      ])
    })
  return (
    <AdminDialog
      focus="first"
      title={emoji ? `:${emoji.shortcode}:` : message('web.admin.emojis.new')}
      confirm={message('web.admin.save')}
      isBusy={isBusy}
      failure={failure}
      form={form}
      onConfirm={save}
      onClose={onClose}
    >
      {!emoji && (
        <Field
          label={message('web.admin.emojis.shortcode')}
          hint={message('web.admin.emojis.shortcode-hint')}
          error={errors['shortcode']}
        >
          {(props) => (
            <input
              {...props}
              required
              dir="ltr"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              pattern="[A-Za-z0-9_]{2,}"
              title={message('web.admin.emojis.shortcode-hint')}
              maxLength={MAX_SHORTCODE_CHARACTERS}
              value={values.shortcode}
              onChange={({ target }) => change({ shortcode: target.value })}
            />
          )}
        </Field>
      )}
      <Field
        label={message(emoji ? 'web.admin.emojis.new-image' : 'web.admin.emojis.image')}
        hint={message('web.admin.emojis.image-hint')}
        error={errors['image']}
      >
        {(props) => (
          <input
            {...props}
            type="file"
            accept={IMAGE_TYPES}
            required={!emoji}
            onChange={({ target }) => change({ image: target.files?.[0] ?? null })}
          />
        )}
      </Field>
      <Preview image={values.image} url={emoji?.staticUrl ?? null} />
      <CategoryField value={values.category} error={errors['category']} onChange={(category) => change({ category })} />
      <label className={admin.check}>
        <input
          type="checkbox"
          checked={values.visibleInPicker}
          onChange={({ target }) => change({ visibleInPicker: target.checked })}
        />
        {message('web.admin.emojis.listed')}
      </label>
    </AdminDialog>
  )
}

/** The image, on light and on dark ground and as large as in a post. */
function Preview({ image, url }: { image: File | null; url: string | null }) {
  const [chosen, setChosen] = useState<string | null>(null)
  useEffect(() => {
    if (!image) return setChosen(null)
    const objectUrl = URL.createObjectURL(image)
    setChosen(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
  }, [image])
  const source = chosen ?? url
  if (source === null) return null
  return (
    <p className={styles.preview} aria-hidden="true">
      {(['light', 'dark'] as const).map((ground) => (
        <span key={ground} className={`${styles.ground} ${styles[ground]}`}>
          <img className={styles.large} src={source} alt="" />
          <img className={styles.small} src={source} alt="" />
        </span>
      ))}
    </p>
  )
}
