import { FRENCH_ADMINISTRATION } from './administration/french.ts'
import type { ErrorTexts } from './error-texts.ts'

export const FRENCH: ErrorTexts = {
  validationFailed: 'Échec de la validation : {0}',
  messages: {
    'Record not found': 'Élément introuvable',
    'Bad request': 'Requête incorrecte',
    'The access token is invalid': 'Le jeton d’accès n’est pas valide',
    'The access token was revoked': 'Le jeton d’accès a été révoqué',
    'This action is not allowed': 'Cette action n’est pas autorisée',
    'This action is outside the authorized scopes': 'Cette action dépasse les autorisations accordées',
    'This method requires an authenticated user': 'Cette action nécessite une connexion',
    'Your login is missing a confirmed e-mail address': 'Votre adresse e-mail n’est pas encore confirmée',
    'Your login is currently pending approval': 'Votre compte est en attente d’approbation',
    'Your login is currently disabled': 'Votre compte est actuellement désactivé',
    'Conflict during update, please try again': 'L’élément a été modifié entre-temps, veuillez réessayer',
    Gone: 'Cet élément n’existe plus',
    'Request body is too large': 'La requête est trop volumineuse',
    'Too many requests': 'Trop de requêtes',
    'There was a temporary problem serving your request, please try again':
      'La requête n’a pas pu être traitée pour le moment, veuillez réessayer',
    'There is no room left to store the file': 'Il n’y a plus d’espace pour enregistrer le fichier',
    'An unexpected error occurred': 'Une erreur inattendue est survenue',
    'Duplicate record': 'Cet élément existe déjà',
    'The post you are trying to reply to does not appear to exist.':
      'Le message auquel vous souhaitez répondre n’existe pas.',
    'The post you are trying to quote does not appear to exist.': 'Le message que vous souhaitez citer n’existe pas.',
    'Following your own account is not allowed': 'Vous ne pouvez pas suivre votre propre compte',
    'You have reached the maximum number of lists': 'Vous avez atteint le nombre maximal de listes',
    'You cannot have more than {0} filters': 'Vous ne pouvez pas avoir plus de {0} filtres',
    'You cannot follow more than {0} people': 'Vous ne pouvez pas suivre plus de {0} comptes',
    'Cannot attach more than {0} files': 'Impossible de joindre plus de {0} fichiers',
    'Cannot attach a video to a post that already contains images':
      'Impossible de joindre une vidéo à un message contenant déjà des images',
    'Cannot attach files that have not finished processing. Try again in a moment!':
      'Les fichiers sont encore en cours de traitement. Réessayez dans un instant !',
    'Media attachment is currently used by a status': 'Le fichier est utilisé par un message',
    'Error processing thumbnail for uploaded media': 'La vignette n’a pas pu être traitée',
    'One of the scopes is unknown': 'L’une des autorisations est inconnue',
    'param is missing or the value is empty or invalid: {0}': 'Le paramètre est manquant, vide ou incorrect : {0}',
    'This method is only available while the e-mail is awaiting confirmation':
      'Cette action n’est possible que tant que l’adresse e-mail n’est pas confirmée',
    'The search takes too long; use more specific words':
      'La recherche est trop longue ; précisez ce que vous cherchez',
    "Validation failed: Someone else's post cannot be pinned":
      'Échec de la validation : Le message d’un autre compte ne peut pas être épinglé',
    'Validation failed: A boost cannot be pinned': 'Échec de la validation : Un partage ne peut pas être épinglé',
    'Validation failed: Posts that are only visible to mentioned users cannot be pinned':
      'Échec de la validation : Un message visible uniquement par les personnes mentionnées ne peut pas être épinglé',
    'Validation failed: You have already pinned the maximum number of posts':
      'Échec de la validation : Vous avez déjà épinglé le nombre maximal de messages',
    'Validation failed: The poll has already ended': 'Échec de la validation : Le sondage est déjà terminé',
    'Validation failed: You have already voted on this poll':
      'Échec de la validation : Vous avez déjà voté à ce sondage',
    'Validation failed: You must be already following the person you want to endorse':
      'Échec de la validation : Vous devez suivre le compte que vous souhaitez recommander',
    'Validation failed: Name is not a recognized emoji': 'Échec de la validation : Cet émoji n’est pas reconnu',
    'Validation failed: Limit of different reactions reached':
      'Échec de la validation : Le nombre maximal de réactions différentes est atteint',
    'Validation failed: No more than {0} hashtags can be featured':
      'Échec de la validation : Impossible de mettre en avant plus de {0} hashtags',
    'Validation failed: File is damaged or incomplete':
      'Échec de la validation : Le fichier est endommagé ou incomplet',
    'Validation failed: File {0} images are not supported':
      'Échec de la validation : Les images de {0} pixels ne sont pas acceptées',
    'Validation failed: File {0} animations are not supported':
      'Échec de la validation : Les animations de {0} pixels ne sont pas acceptées',
    'Validation failed: File {0} GIF files are not supported':
      'Échec de la validation : Les fichiers GIF de {0} pixels ne sont pas acceptés',
    'File type of uploaded media could not be verified': 'Ce type de fichier n’est pas accepté',
    'HEIC pictures are not supported: send them as JPEG':
      'Les images HEIC ne sont pas acceptées : convertissez-les en JPEG',
    '"{0}" is not a day, as 2026-12-31 is one': '« {0} » n’est pas une date comme 2026-12-31',
    'Invalid date supplied': 'La date n’est pas valide',
    "Invalid value for 'expand_accounts': '{0}', allowed values are 'full' and 'partial_avatars'":
      '« {0} » n’est pas une valeur valide de expand_accounts ; les valeurs autorisées sont « full » et « partial_avatars »',
    'Media {0} not found or already attached to another post':
      'Les médias {0} sont introuvables ou déjà joints à un autre message',
    'Post would be sent to unexpected accounts': 'Le message serait envoyé à des comptes inattendus',
    'The content type is not supported': 'Ce type de contenu n’est pas accepté',
    'The other server did not give the file': 'L’autre serveur n’a pas fourni le fichier',
    'The request can not be answered': 'Il n’est pas possible de répondre à la requête',
    'The request holds a value that can not be stored':
      'La requête contient une valeur qui ne peut pas être enregistrée',
    'The requested range is outside the file': 'La plage demandée est en dehors du fichier',
    'The service that translates does not answer at the moment, please try again later':
      'Le service de traduction ne répond pas pour le moment, veuillez réessayer plus tard',
    'Too much is being translated at the moment, please try again later':
      'Trop de traductions sont en cours, veuillez réessayer plus tard',
    'What this server may have translated is used up for now':
      'Le quota de traduction de ce serveur est épuisé pour le moment',
    'There was a problem in the JSON you submitted': 'Le JSON envoyé contient une erreur',
    'There was a problem in the form you submitted': 'Le formulaire envoyé contient une erreur',
    'These parameters belong to a filter with several keywords; change it by a newer client':
      'Ces paramètres appartiennent à un filtre à plusieurs mots-clés ; modifiez-le avec une application plus récente',
    'This invite is not valid': 'Cette invitation n’est pas valide',
    'This method is only available to the application the user originally signed-up with':
      'Cette action n’est possible qu’avec l’application utilisée pour l’inscription',
    'This method requires an client credentials authentication':
      'Cette action nécessite que l’application elle-même s’authentifie (client credentials)',
    'This page has expired. Please go back, reload it, and try again.':
      'Cette page a expiré. Veuillez revenir en arrière, la recharger et réessayer.',
    'This parameter does not take a file': 'Ce paramètre n’accepte pas de fichier',
    'Too many accounts were created today, please try again tomorrow':
      'Trop de comptes ont été créés aujourd’hui, veuillez réessayer demain',
    'You cannot have more than {0} active invites': 'Vous ne pouvez pas avoir plus de {0} invitations actives',
    'Your account requires two-factor authentication': 'Votre compte exige l’authentification à deux facteurs',
    'Your current password is required to change the e-mail address: use the account settings':
      'Votre mot de passe est nécessaire pour changer l’adresse e-mail : utilisez les paramètres du compte',
    'Your filters cannot have more than {0} keywords with {1} characters together':
      'Vos filtres ne peuvent pas dépasser au total {0} mots-clés et {1} caractères',
    'Your filters cannot have more than {0} posts together':
      'Vos filtres ne peuvent pas contenir plus de {0} messages au total',
    '`account_id` parameter is missing': 'Le paramètre account_id est manquant',
    'Validation failed: The chosen vote option does not exist':
      'Échec de la validation : L’option choisie n’existe pas',
    'Validation failed: You cannot vote in your own polls':
      'Échec de la validation : Vous ne pouvez pas voter à vos propres sondages',
    'Validation failed: File is a video or a sound, which this server does not take':
      'Échec de la validation : Ce serveur n’accepte ni vidéos ni sons',
    'Validation failed: File is longer than {0} hours': 'Échec de la validation : Le fichier dure plus de {0} heures',
    'Validation failed: File size must be less than {0} MB':
      'Échec de la validation : Le fichier doit faire moins de {0} Mo',
    'Validation failed: File {0} frames are more than the {1} allowed':
      'Échec de la validation : {0} images dépassent les {1} autorisées',
    'Validation failed: File {0}fps videos are not supported':
      'Échec de la validation : Les vidéos de {0} images par seconde ne sont pas acceptées',
    'Validation failed: File {0} videos are not supported':
      'Échec de la validation : Les vidéos de {0} pixels ne sont pas acceptées',
    ...FRENCH_ADMINISTRATION.messages,
  },
  problems: {
    "can't be blank": 'ne peut pas être vide',
    'is invalid': 'n’est pas valide',
    'is of an e-mail provider that is not allowed':
      'provient d’un fournisseur d’adresses e-mail qui n’est pas autorisé',
    'has already been taken': 'est déjà utilisé',
    'is not included in the list': 'n’est pas une valeur autorisée',
    'is too long (maximum is {0} characters)': 'est trop long ({0} caractères au maximum)',
    'is too short (minimum is {0} characters)': 'est trop court ({0} caractères au minimum)',
    'character limit of {0} exceeded': 'dépasse la limite de {0} caractères',
    'exceed the maximum of {0}': 'dépassent le maximum de {0}',
    'must have more than one item': 'doit contenir plus d’un élément',
    "can't contain more than {0} items": 'ne peut pas contenir plus de {0} éléments',
    "can't be longer than {0} characters each": 'ne peut pas dépasser {0} caractères par élément',
    'contain duplicate items': 'contient des doublons',
    'is too far into the future': 'est trop loin dans le futur',
    'is too soon': 'est trop proche',
    'is reserved': 'est réservé',
    'is not allowed': 'n’est pas autorisé',
    'must be accepted': 'doit être accepté',
    'must contain only letters, numbers and underscores':
      'ne peut contenir que des lettres, des chiffres et des tirets bas',
    'must have a label': 'doit avoir un intitulé',
    'is not a valid URL': 'n’est pas une URL valide',
    'does not reference valid rules': 'désignent une règle inconnue',
    'contained a disallowed hashtag: {0}': 'contient un hashtag interdit : {0}',
    'contained the disallowed hashtags: {0}': 'contient des hashtags interdits : {0}',
    'is too long (maximum is {0} accounts)': 'ne peut pas contenir plus de {0} comptes',
    'are limited to {0} in a collection': 'ne peuvent pas être plus de {0} dans une collection',
    'are limited to {0}': 'ne peuvent pas être plus de {0}',
    'is too long (maximum is {0} domains)': 'ne peut pas dépasser {0} domaines',
    'holds “{0}”, which is not a domain': 'contient « {0} », qui n’est pas un domaine',
    "doesn't match configured on the server.": 'contient une autorisation inconnue',
    'must be an absolute URI.': 'doit être un URI absolu',
    'is forbidden by the server.': 'n’est pas autorisé par ce serveur',
    'cannot contain a fragment.': 'ne peut pas contenir de fragment',
    'does not seem to exist': 'ne semble pas exister',
    'is already on the list': 'est déjà dans la liste',
    'must be a followed account': 'doit être un compte que vous suivez',
    'is below the age limit': 'est en dessous de la limite d’âge',
    'is not a public https address': 'n’est pas une adresse https publique',
    'is not a public key of P-256': 'n’est pas une clé publique de P-256',
    'is not 16 bytes in Base64': 'doit se composer de 16 octets en Base64',
    'is not an id': 'n’est pas un identifiant',
    'The scheduled date must be in the future': 'doit se situer dans le futur',
    'You have exceeded the limit of {0} scheduled posts': 'Vous ne pouvez pas programmer plus de {0} messages',
    'You have exceeded the limit of {0} scheduled posts for that day':
      'Vous ne pouvez pas programmer plus de {0} messages pour ce jour',
    'A direct post has to mention whom it quotes':
      'Un message visible uniquement par les personnes mentionnées doit mentionner celle qu’il cite',
    'A post that stays on this server can not quote one of another server':
      'Un message qui reste sur ce serveur ne peut pas citer celui d’un autre serveur',
    ...FRENCH_ADMINISTRATION.problems,
  },
  attributes: {
    text: 'Le texte',
    username: 'Le nom d’utilisateur',
    email: 'L’adresse e-mail',
    password: 'Le mot de passe',
    agreement: 'L’accord',
    reason: 'Le motif',
    locale: 'La langue',
    language: 'La langue',
    title: 'Le titre',
    name: 'Le nom',
    display_name: 'Le nom affiché',
    note: 'La présentation',
    fields: 'Les champs du profil',
    options: 'Le choix',
    expires_at: 'La date de fin',
    choices: 'Le vote',
    comment: 'Le commentaire',
    description: 'La description',
    scheduled_at: 'La date de publication',
    keyword: 'Le mot-clé',
    context: 'Le contexte',
    status: 'Le message',
    account: 'Le compte',
    domain: 'Le domaine',
    privacy: 'La visibilité',
    visibility: 'La visibilité',
    file: 'Le fichier',
    accounts: 'Les comptes',
    account_ids: 'La liste des comptes',
    collections: 'Les collections',
    discoverable: 'L’indication de visibilité',
    sensitive: 'L’indication de contenu sensible',
    tag_name: 'Le hashtag',
    rule_ids: 'Les règles',
    attribution_domains: 'La liste des sites web',
    avatar_description: 'La description de l’avatar',
    header_description: 'La description de la bannière',
    date_of_birth: 'La date de naissance',
    endpoint: 'L’adresse des notifications push',
    key_auth: 'La clé « auth »',
    key_p256dh: 'La clé « p256dh »',
    languages: 'Le choix des langues',
    last_read_id: 'La marque de lecture',
    phrase: 'Le mot-clé',
    redirect_uri: 'L’adresse de redirection',
    scopes: 'Le choix des autorisations',
    website: 'Le site web',
    ...FRENCH_ADMINISTRATION.attributes,
  },
  otherAttribute: 'Le champ « {0} »',
}
