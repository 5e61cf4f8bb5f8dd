import { useState } from 'react'
import { formatLanguage } from '../../../../lib/i18n/formats.ts'
import { locale, message } from '../../../../lib/i18n/messages.ts'
import type { Account } from '../../../../lib/api/entities.ts'
import { closeDialog, DialogActions } from '../../../../ui/dialogs/confirmation.tsx'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { Checkbox, Fields } from '../../../../ui/forms/form-fields.tsx'
import { changeRelationship } from '../../../relationships/change-relationship.ts'
import { useRelationship } from '../../../relationships/relationships.ts'

/** The languages in which most posts are; those that the browser or the follow names are added to them. */
const COMMON = 'ar cs da de el en es et eu fa fi fr gl he hu id it ja ko nl no pl pt ru sv tr uk vi zh'.split(' ')

/** Asks in which languages posts of an account are shown. */
export function LanguagesDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const relationship = useRelationship(account.id)
  const [chosen, setChosen] = useState<readonly string[]>(relationship?.languages ?? [])
  const preferred = navigator.languages.map((tag) => tag.split('-')[0]!)
  const codes = [...new Set([...chosen, ...preferred, ...COMMON])]
  const [order] = useState(() => codes.toSorted((a, b) => formatLanguage(a).localeCompare(formatLanguage(b), locale)))
  return (
    <Dialog title={message('web.languages.title', { name: `@${account.acct}` })} onClose={onClose}>
      <Fields>
        <p>{message('web.languages.text')}</p>
        <div>
          {order.map((code) => (
            <Checkbox
              key={code}
              label={formatLanguage(code)}
              isChecked={chosen.includes(code)}
              onChange={(isOn) => setChosen(isOn ? [...chosen, code] : chosen.filter((one) => one !== code))}
            />
          ))}
        </div>
      </Fields>
      <DialogActions>
        <button
          type="button"
          className="button"
          onClick={(event) => {
            void changeRelationship(account.id, { type: 'follow', locked: account.locked, languages: [...chosen] })
            closeDialog(event)
          }}
        >
          {message('web.save')}
        </button>
      </DialogActions>
    </Dialog>
  )
}
