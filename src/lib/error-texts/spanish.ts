import { SPANISH_ADMINISTRATION } from './administration/spanish.ts'
import type { ErrorTexts } from './error-texts.ts'

export const SPANISH: ErrorTexts = {
  validationFailed: 'La validación ha fallado: {0}',
  messages: {
    'Record not found': 'No se ha encontrado el elemento',
    'Bad request': 'La solicitud no es válida',
    'The access token is invalid': 'El token de acceso no es válido',
    'The access token was revoked': 'El token de acceso fue revocado',
    'This action is not allowed': 'Esta acción no está permitida',
    'This action is outside the authorized scopes': 'Esta acción está fuera de los permisos concedidos',
    'This method requires an authenticated user': 'Para esto es necesario iniciar sesión',
    'Your login is missing a confirmed e-mail address': 'Tu dirección de correo aún no está confirmada',
    'Your login is currently pending approval': 'Tu cuenta está pendiente de aprobación',
    'Your login is currently disabled': 'Tu cuenta está desactivada en este momento',
    'Conflict during update, please try again': 'El elemento se modificó mientras tanto; inténtalo de nuevo',
    Gone: 'Ya no existe',
    'Request body is too large': 'La solicitud es demasiado grande',
    'Too many requests': 'Demasiadas solicitudes',
    'There was a temporary problem serving your request, please try again':
      'La solicitud no se pudo procesar en este momento; inténtalo de nuevo',
    'There is no room left to store the file': 'No queda espacio para guardar el archivo',
    'An unexpected error occurred': 'Se ha producido un error inesperado',
    'Duplicate record': 'Este elemento ya existe',
    'The post you are trying to reply to does not appear to exist.':
      'La publicación a la que quieres responder no existe.',
    'The post you are trying to quote does not appear to exist.': 'La publicación que quieres citar no existe.',
    'Following your own account is not allowed': 'No puedes seguir tu propia cuenta',
    'You have reached the maximum number of lists': 'Has alcanzado el número máximo de listas',
    'You cannot have more than {0} filters': 'No puedes tener más de {0} filtros',
    'You cannot follow more than {0} people': 'No puedes seguir más de {0} cuentas',
    'Cannot attach more than {0} files': 'No se pueden adjuntar más de {0} archivos',
    'Cannot attach a video to a post that already contains images':
      'No se puede adjuntar un video a una publicación que ya contiene imágenes',
    'Cannot attach files that have not finished processing. Try again in a moment!':
      'Los archivos aún se están procesando. ¡Inténtalo de nuevo en un momento!',
    'Media attachment is currently used by a status': 'Una publicación está usando el archivo',
    'Error processing thumbnail for uploaded media': 'No se pudo procesar la miniatura',
    'One of the scopes is unknown': 'Uno de los permisos es desconocido',
    'param is missing or the value is empty or invalid: {0}': 'Falta el parámetro, o está vacío o no es válido: {0}',
    'This method is only available while the e-mail is awaiting confirmation':
      'Esto solo es posible mientras la dirección de correo no esté confirmada',
    'The search takes too long; say more of what you are looking for':
      'La búsqueda tarda demasiado; concreta lo que buscas',
    "Validation failed: Someone else's post cannot be pinned":
      'La validación ha fallado: No se puede fijar la publicación de otra persona',
    'Validation failed: A boost cannot be pinned': 'La validación ha fallado: No se puede fijar un impulso',
    'Validation failed: Posts that are only visible to mentioned users cannot be pinned':
      'La validación ha fallado: No se puede fijar una publicación visible solo para las personas mencionadas',
    'Validation failed: You have already pinned the maximum number of posts':
      'La validación ha fallado: Ya has fijado el número máximo de publicaciones',
    'Validation failed: The poll has already ended': 'La validación ha fallado: La encuesta ya ha terminado',
    'Validation failed: You have already voted on this poll':
      'La validación ha fallado: Ya has votado en esta encuesta',
    'Validation failed: You must be already following the person you want to endorse':
      'La validación ha fallado: Debes seguir la cuenta que quieres recomendar',
    'Validation failed: Name is not a recognized emoji': 'La validación ha fallado: No es un emoji reconocido',
    'Validation failed: Limit of different reactions reached':
      'La validación ha fallado: Se alcanzó el límite de reacciones distintas',
    'Validation failed: No more than {0} hashtags can be featured':
      'La validación ha fallado: No se pueden destacar más de {0} etiquetas',
    'Validation failed: File is damaged or incomplete': 'La validación ha fallado: El archivo está dañado o incompleto',
    'Validation failed: File {0} images are not supported':
      'La validación ha fallado: No se admiten imágenes de {0} píxeles',
    'Validation failed: File {0} animations are not supported':
      'La validación ha fallado: No se admiten animaciones de {0} píxeles',
    'Validation failed: File {0} GIF files are not supported':
      'La validación ha fallado: No se admiten archivos GIF de {0} píxeles',
    'File type of uploaded media could not be verified': 'No se admite este tipo de archivo',
    'HEIC pictures are not supported: send them as JPEG': 'No se admiten imágenes HEIC: conviértelas a JPEG',
    '"{0}" is not a day, as 2026-12-31 is one': '«{0}» no es una fecha como 2026-12-31',
    'Invalid date supplied': 'La fecha no es válida',
    "Invalid value for 'expand_accounts': '{0}', allowed values are 'full' and 'partial_avatars'":
      '«{0}» no es un valor válido de expand_accounts; se permiten «full» y «partial_avatars»',
    'Media {0} not found or already attached to another post':
      'Los archivos {0} no existen o ya están adjuntos a otra publicación',
    'Post would be sent to unexpected accounts': 'La publicación se enviaría a cuentas inesperadas',
    'The content type is not supported': 'No se admite este tipo de contenido',
    'The other server did not give the file': 'El otro servidor no entregó el archivo',
    'The request can not be answered': 'La solicitud no se puede responder',
    'The request holds a value that can not be stored': 'La solicitud contiene un valor que no se puede guardar',
    'The requested range is outside the file': 'El intervalo solicitado está fuera del archivo',
    'The service that translates does not answer at the moment, please try again later':
      'El servicio de traducción no responde en este momento; inténtalo más tarde',
    'Too much is being translated at the moment, please try again later':
      'Hay demasiadas traducciones en este momento; inténtalo más tarde',
    'What this server may have translated is used up for now':
      'Se ha agotado por ahora la cuota de traducción de este servidor',
    'There was a problem in the JSON you submitted': 'El JSON enviado contiene un error',
    'There was a problem in the form you submitted': 'El formulario enviado contiene un error',
    'These parameters belong to a filter with several keywords; change it by a newer client':
      'Estos parámetros son de un filtro con varias palabras clave; modifícalo con una aplicación más reciente',
    'This invite is not valid': 'Esta invitación no es válida',
    'This method is only available to the application the user originally signed-up with':
      'Esto solo es posible con la aplicación con la que se registró la cuenta',
    'This method requires an client credentials authentication':
      'Para esto la propia aplicación debe autenticarse (client credentials)',
    'This page has expired. Please go back, reload it, and try again.':
      'Esta página ha caducado. Vuelve atrás, recárgala e inténtalo de nuevo.',
    'This parameter does not take a file': 'Este parámetro no admite un archivo',
    'Too many accounts were created today, please try again tomorrow':
      'Hoy se han creado demasiadas cuentas; inténtalo de nuevo mañana',
    'You cannot have more than {0} active invites': 'No puedes tener más de {0} invitaciones activas',
    'Your account requires two-factor authentication': 'Tu cuenta exige autenticación en dos pasos',
    'Your current password is required to change the e-mail address: use the account settings':
      'Para cambiar la dirección de correo se necesita tu contraseña: usa los ajustes de la cuenta',
    'Your filters cannot have more than {0} keywords with {1} characters together':
      'Tus filtros no pueden tener en total más de {0} palabras clave con {1} caracteres',
    'Your filters cannot have more than {0} posts together':
      'Tus filtros no pueden tener en total más de {0} publicaciones',
    '`account_id` parameter is missing': 'Falta el parámetro account_id',
    'Validation failed: The chosen vote option does not exist': 'La validación ha fallado: La opción elegida no existe',
    'Validation failed: You cannot vote in your own polls':
      'La validación ha fallado: No puedes votar en tus propias encuestas',
    'Validation failed: File is a video or a sound, which this server does not take':
      'La validación ha fallado: Este servidor no admite videos ni audios',
    'Validation failed: File is longer than {0} hours': 'La validación ha fallado: El archivo dura más de {0} horas',
    'Validation failed: File size must be less than {0} MB':
      'La validación ha fallado: El archivo debe ocupar menos de {0} MB',
    'Validation failed: File {0} frames are more than the {1} allowed':
      'La validación ha fallado: {0} fotogramas superan los {1} permitidos',
    'Validation failed: File {0}fps videos are not supported':
      'La validación ha fallado: No se admiten videos de {0} fotogramas por segundo',
    'Validation failed: File {0} videos are not supported':
      'La validación ha fallado: No se admiten videos de {0} píxeles',
    ...SPANISH_ADMINISTRATION.messages,
  },
  problems: {
    "can't be blank": 'no puede estar en blanco',
    'is invalid': 'no es un valor válido',
    'is of an e-mail provider that is not allowed': 'es de un proveedor de correo que no está permitido',
    'has already been taken': 'ya está en uso',
    'is not included in the list': 'no es un valor permitido',
    'is too long (maximum is {0} characters)': 'supera el máximo de {0} caracteres',
    'is too short (minimum is {0} characters)': 'es demasiado corto (mínimo {0} caracteres)',
    'character limit of {0} exceeded': 'supera el límite de {0} caracteres',
    'exceed the maximum of {0}': 'superan el máximo de {0}',
    'must have more than one item': 'debe tener más de un elemento',
    "can't contain more than {0} items": 'no puede contener más de {0} elementos',
    "can't be longer than {0} characters each": 'no puede superar los {0} caracteres por elemento',
    'contain duplicate items': 'contiene elementos duplicados',
    'is too far into the future': 'está demasiado lejos en el futuro',
    'is too soon': 'es demasiado pronto',
    'is reserved': 'está reservado',
    'is not allowed': 'no está permitido',
    'must be accepted': 'debe ser aceptado',
    'must contain only letters, numbers and underscores': 'solo puede contener letras, números y guiones bajos',
    'must have a label': 'debe tener una etiqueta',
    'is not a valid URL': 'no es una URL válida',
    'does not reference valid rules': 'mencionan una regla desconocida',
    'contained a disallowed hashtag: {0}': 'contiene una etiqueta no permitida: {0}',
    'contained the disallowed hashtags: {0}': 'contiene etiquetas no permitidas: {0}',
    'is too long (maximum is {0} accounts)': 'puede contener como máximo {0} cuentas',
    'are limited to {0} in a collection': 'pueden ser como máximo {0} en una colección',
    'are limited to {0}': 'pueden ser como máximo {0}',
    'is too long (maximum is {0} domains)': 'puede contener como máximo {0} dominios',
    'holds “{0}”, which is not a domain': 'contiene «{0}», que no es un dominio',
    "doesn't match configured on the server.": 'contiene un permiso desconocido',
    'must be an absolute URI.': 'debe ser un URI absoluto',
    'is forbidden by the server.': 'no está permitido por este servidor',
    'cannot contain a fragment.': 'no puede contener un fragmento',
    'does not seem to exist': 'parece no existir',
    'is already on the list': 'ya está en la lista',
    'must be a followed account': 'debe ser una cuenta que sigues',
    'is below the age limit': 'no alcanza la edad mínima',
    'is not a public https address': 'no es una dirección https pública',
    'is not a public key of P-256': 'no es una clave pública de P-256',
    'is not 16 bytes in Base64': 'debe tener 16 bytes en Base64',
    'is not an id': 'no es un identificador',
    'The scheduled date must be in the future': 'debe estar en el futuro',
    'You have exceeded the limit of {0} scheduled posts': 'No puedes programar más de {0} publicaciones',
    'You have exceeded the limit of {0} scheduled posts for that day':
      'No puedes programar más de {0} publicaciones para ese día',
    'A direct post has to mention whom it quotes':
      'Una publicación visible solo para las personas mencionadas debe mencionar a quien cita',
    'A post that stays on this server can not quote one of another server':
      'Una publicación que se queda en este servidor no puede citar una de otro servidor',
    ...SPANISH_ADMINISTRATION.problems,
  },
  attributes: {
    text: 'El texto',
    username: 'El nombre de usuario',
    email: 'La dirección de correo',
    password: 'La contraseña',
    agreement: 'El acuerdo',
    reason: 'El motivo',
    locale: 'El idioma',
    language: 'El idioma',
    title: 'El título',
    name: 'El nombre',
    display_name: 'El nombre visible',
    note: 'La biografía',
    fields: 'Los campos del perfil',
    options: 'La selección',
    expires_at: 'La fecha de finalización',
    choices: 'El voto',
    comment: 'El comentario',
    description: 'La descripción',
    scheduled_at: 'La fecha de publicación',
    keyword: 'La palabra clave',
    context: 'El contexto',
    status: 'La publicación',
    account: 'La cuenta',
    domain: 'El dominio',
    privacy: 'La visibilidad',
    visibility: 'La visibilidad',
    file: 'El archivo',
    accounts: 'Las cuentas',
    account_ids: 'La lista de cuentas',
    collections: 'Las colecciones',
    discoverable: 'La indicación de visibilidad',
    sensitive: 'La indicación de contenido sensible',
    tag_name: 'La etiqueta',
    rule_ids: 'Las reglas',
    attribution_domains: 'La lista de sitios web',
    avatar_description: 'La descripción del avatar',
    header_description: 'La descripción de la cabecera',
    date_of_birth: 'La fecha de nacimiento',
    endpoint: 'La dirección de las notificaciones push',
    key_auth: 'La clave «auth»',
    key_p256dh: 'La clave «p256dh»',
    languages: 'El conjunto de idiomas',
    last_read_id: 'La marca de lectura',
    phrase: 'La palabra clave',
    redirect_uri: 'La dirección de redirección',
    scopes: 'El conjunto de permisos',
    website: 'El sitio web',
    ...SPANISH_ADMINISTRATION.attributes,
  },
  otherAttribute: 'El campo «{0}»',
}
