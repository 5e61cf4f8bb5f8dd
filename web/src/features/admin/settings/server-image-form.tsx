import { useQuery, useQueryClient } from '@tanstack/react-query'
import { message } from '../../../lib/i18n/messages.ts'
import { instanceQuery } from '../../instance/instance.ts'
import {
  changesServerImage,
  draftOfServerImage,
  saveServerImage,
  serverImageQuery,
} from '../../instance/server-image.ts'
import { ServerImageField } from '../../instance/server-image-field.tsx'
import { showDecision } from '../shared/decisions/undo.ts'
import { FormActions } from '../shared/form/form-actions.tsx'
import { useDraft } from '../../../lib/store/use-draft.ts'
import { SavedForm } from '../shared/form/saved-form.tsx'
import { useSubmit } from '../shared/form/use-submit.ts'
import { QueryResult } from '../shared/list/query-result.tsx'
import styles from './settings.module.css'

/** The image of the server, which is saved on its own. */
export function ServerImageForm() {
  const query = useQuery(serverImageQuery)
  return <QueryResult query={query}>{(image) => <ImageForm image={image} />}</QueryResult>
}

function ImageForm({ image }: { image: Awaited<ReturnType<typeof saveServerImage>> }) {
  const { value: draft, change, reset } = useDraft('server-image', draftOfServerImage(image))
  const { form, errors, failure, isBusy, submit } = useSubmit()
  const queryClient = useQueryClient()
  const problem = errors['image'] ?? Object.values(errors)[0] ?? failure
  const save = () =>
    void submit(async () => {
      const saved = await saveServerImage(draft)
      queryClient.setQueryData(serverImageQuery.queryKey, saved)
      reset(draftOfServerImage(saved))
      showDecision({ text: message('web.admin.settings.image.saved'), undo: null })
      await queryClient.invalidateQueries({ queryKey: instanceQuery.queryKey })
    })
  return (
    <SavedForm form={form} onSave={save}>
      <div className={styles.group}>
        <ServerImageField current={image.url} draft={draft} error={problem} onChange={change} />
      </div>
      <FormActions
        isChanged={changesServerImage(draft, image)}
        isBusy={isBusy}
        failure=""
        submit={message('web.admin.settings.image.save')}
        onDiscard={() => reset(draftOfServerImage(image))}
      />
    </SavedForm>
  )
}
