import { useQuery, useQueryClient } from '@tanstack/react-query'
import { message } from '../../../lib/i18n/messages.ts'
import { useDraft } from '../../../lib/store/use-draft.ts'
import { PictureField } from '../../../ui/forms/picture-field.tsx'
import type { PictureChange } from '../../../ui/forms/picture-field.tsx'
import { showDecision } from '../shared/decisions/undo.ts'
import { FormActions } from '../shared/form/form-actions.tsx'
import { SavedForm } from '../shared/form/saved-form.tsx'
import { useSubmit } from '../shared/form/use-submit.ts'
import { QueryResult } from '../shared/list/query-result.tsx'
import { saveSiteIcon, siteIconQuery } from './site-icon.ts'
import styles from './settings.module.css'

const UNCHANGED: PictureChange = { type: 'keep' }

/** The icon of the server, which is saved on its own. */
export function SiteIconForm() {
  const query = useQuery(siteIconQuery)
  return <QueryResult query={query}>{({ url }) => <IconForm current={url} />}</QueryResult>
}

function IconForm({ current }: { current: string | null }) {
  const { value: change, change: setChange, reset } = useDraft('site-icon', UNCHANGED)
  const { form, errors, failure, isBusy, submit } = useSubmit()
  const queryClient = useQueryClient()
  const save = () =>
    void submit(async () => {
      queryClient.setQueryData(siteIconQuery.queryKey, await saveSiteIcon(change))
      reset(UNCHANGED)
      showDecision({ text: message('web.admin.settings.icon.saved'), undo: null })
    })
  return (
    <SavedForm form={form} onSave={save}>
      <div className={styles.group}>
        <PictureField
          shape="icon"
          texts={{
            title: message('web.admin.settings.icon'),
            hint: message('web.admin.settings.icon.hint'),
            file: message('web.admin.settings.icon.file'),
            choose: message('web.admin.settings.icon.choose'),
            remove: message('web.admin.settings.icon.remove'),
          }}
          current={current}
          change={change}
          onChange={setChange}
          error={errors['image'] ?? Object.values(errors)[0] ?? failure}
        />
      </div>
      <FormActions
        isChanged={change.type !== 'keep'}
        isBusy={isBusy}
        failure=""
        submit={message('web.admin.settings.icon.save')}
        onDiscard={() => reset(UNCHANGED)}
      />
    </SavedForm>
  )
}
