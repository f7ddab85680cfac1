/** What intruders do in the words of reports; the words of one entry stand in one sentence, neither negated nor supposed. */
export const DEEDS: Readonly<Record<string, string>> = {
  T1003: 'harvested credentials, credential harvesting tool, mimikatz',
  'T1003.001': 'harvested lsass, lsass memory, lsass process, comsvcs minidump',
  'T1003.003': 'ntds.dit',
  T1014: 'installed rootkit, deployed rootkit, kernel rootkit, rootkit hides',
  T1018: 'enumerated domain computers, discovered remote systems',
  T1021: 'moved sideways, sideways movement, spread sideways',
  'T1021.001': 'sideways rdp, sideways remote desktop, pivoted rdp, rdp sessions between',
  'T1021.002': 'admin shares, sideways smb, psexec',
  'T1021.006': 'winrm, windows remote management',
  T1027:
    'obfuscated script, obfuscated payload, obfuscated code, heavily obfuscated, base64-encoded payload, base64-encoded command',
  'T1036.005': 'masqueraded legitimate, disguised legitimate, masquerading as legitimate, named to resemble',
  T1048: 'exfiltrated ftp, exfiltrated sftp, winscp exfiltrated, filezilla exfiltrated',
  'T1056.001': 'keylogger, logged keystrokes, logs keystrokes, records keystrokes, captures keystrokes',
  'T1059.001':
    'encoded powershell, powershell script, powershell command, executed powershell, launched powershell',
  T1068:
    'vulnerable driver, byovd, elevated privileges exploit, privilege escalation vulnerability exploited',
  'T1070.001':
    'cleared event logs, cleared windows logs, clears event logs, deleted event logs, wevtutil clear',
  'T1070.004': 'deletes itself, deleted itself, self-deletes, removed their tools, deleted their tools',
  'T1071.001':
    'http command-and-control, https command-and-control, c2 over http, c2 over https, c2 https, c2 http',
  'T1071.004': 'dns c2, dns command-and-control, c2 dns queries',
  T1082:
    'collected system information, collects system information, gathers system information, gathered host information, fingerprints the host',
  'T1087.002': 'enumerated domain accounts, enumerated active directory, domain users enumerated, adfind',
  T1105:
    'downloaded payload, downloads payload, downloaded second stage, downloads second-stage, fetched payload, retrieved payload, downloads additional',
  T1090: 'routers as proxies, residential proxies, proxied traffic, proxied connections, relayed traffic',
  'T1098.005':
    'registered own device, enrolled own device, registered new device multi-factor, registered mfa device',
  'T1110.003': 'password spraying, password spray',
  T1133:
    'logged vpn, entered vpn, accessed vpn, vpn stolen credentials, vpn compromised credentials, vpn valid accounts',
  T1190:
    'exploiting firewalls, exploited firewalls, exploiting gateways, exploited appliance, exploiting appliance, exploited vpn, exploited web portal, exploited zero-day gateway, exploited unpatched server, exploited citrix, exploited exchange, exploited public-facing, exploit internet-facing',
  T1199: 'vpn supplier, through supplier, through service provider, through msp, trusted partner access',
  'T1204.002':
    'enabled macros, malicious macro, opened attachment, opens the attachment, opened the malicious',
  'T1204.004': 'clickfix, pasted command run dialog',
  T1219:
    'anydesk, teamviewer, screenconnect, atera, splashtop, remote monitoring management tools, rmm tools',
  T1482: 'domain trusts, nltest',
  'T1484.001': 'modified group policy, modifies group policy, group policy objects distribute',
  T1486:
    'encrypted files, encrypts files, files were encrypted, encrypted servers, encrypted virtual machines, encrypted systems, ransom note, encrypt esxi, encrypted the network, encrypted data systems',
  T1490:
    'deleted shadow copies, deletes shadow copies, volume shadow copies, vssadmin, deleted backups, wiped backups',
  T1497: 'detects sandbox, detects virtual machines, anti-vm, checks virtual machine, sandbox evasion',
  T1528: 'stole oauth tokens, malicious oauth application, oauth consent',
  T1539:
    'stole session cookies, stolen session cookies, steals session cookies, steals cookies, stole cookies',
  'T1547.001': 'run key, startup folder',
  'T1555.003':
    'browser credentials, saved browser passwords, passwords stored browsers, credentials stored browsers',
  'T1560.001':
    'winrar compress, winrar archive, 7-zip compress, 7zip archive, compressed rar, packed archives exfiltration',
  'T1562.001':
    'disabled defender, disabled antivirus, disabled edr, disables edr, disables antivirus, disables defender, terminated security, edr killer, killed security, disabled security tools, disabled endpoint, terminates security, disables security',
  'T1562.004': 'disabled firewall, modified firewall rules',
  'T1566.001':
    'phishing attachment, spearphishing attachment, malicious attachment, emails weaponized attachment, emails malicious document',
  'T1566.002':
    'phishing link, spearphishing link, emails malicious link, emails containing link, phishing emails link',
  'T1566.004':
    'vishing, voice phishing, called help desk, impersonated help desk, posed as help desk, phoned help desk, calls help desk',
  'T1567.002': 'rclone, uploaded mega, exfiltrated mega, exfiltrated cloud storage',
  'T1569.002': 'psexec',
  'T1574.001':
    'dll side-loading, dll sideloading, sideloaded dll, side-loaded dll, sideloads dll, side-loads dll',
  'T1583.001': 'registered domains, registered lookalike domain, typosquatted domain, lookalike domains',
  T1621: 'mfa fatigue, push bombing, mfa bombing',
  T1657: 'double extortion, extorted victims, demanded ransom, ransom demand, fraudulent transfers',
};

const PERSISTS = /\brun(?:once)? ?keys?\b|currentversion\\run|\bstartup folder\b|\bauto(?:start|run)\b/i;

/** What a sentence must also say where the cues of events are too wide for reports. */
export const EXTRA_CUES: Readonly<Record<string, RegExp>> = {
  T1078:
    /\b(?:stolen|compromised|leaked|valid|legitimate|purchased|harvested|reused|default)\b.{0,40}\b(?:credentials?|accounts?|logins?|passwords?)\b/i,
  T1133: /\b(?:(?:logged|signed) in|authenticat\w+|brute|credentials?|exposed|accessed|connected|entered)\b/i,
  T1190:
    /\bexploit\w*\b.{0,400}\b(?:appliances?|gateways?|firewalls?|servers?|facing|vpn|edge|portals?|web|application|cve-|flaw|zero-day|injection|exchange|citrix|moveit|esxi|vcenter|router|sharepoint)\b|\bsql injection\b/i,
  T1195: /\b(?:trojani[sz]ed|compromised|tampered|malicious|poisoned|backdoored|injected)\b/i,
  T1071: /\b(?:https?|dns|smtp|websockets?|beacon\w*)\b/i,
  T1486:
    /(?<!\b(?:an?|with|single|one) )\bencrypt(?:s|ed|ing|or)?\b(?! (?:channel|file;|traffic|communication|tunnel|c2|strings?|payload|config))|\bransom notes?\b|\bransomware (?:was|were|attacks?|payloads?|gangs?|groups?|operat\w+|affiliates?|deployment|binary|on)\b|\b(?:deploy|execut|launch|drop|distribut)\w* .{0,40}ransomware\b/i,
  T1021: /\b(?:sideways|psexec|winrm|pivot\w*|spread)\b/i,
  T1530: /\b(?:bucket|blob|storage)\b/i,
  T1485: /\b(?:wiper|wip(?:e|ed|es|ing)|destroy\w*|destruct\w*|delet\w+)\b/i,
  T1489: /\b(?:stop\w*|terminat\w*|kill\w*)\b/i,
  T1499: /\b(?:flood|exhaust\w*|slowloris)\b/i,
  T1547: PERSISTS,
  'T1547.001': PERSISTS,
  T1570: /\b(?:shares?|hosts|machines|sideways|across|between|systems)\b/i,
  T1136: /\b(?:creat\w+|add\w+)\b/i,
  T1068: /\b(?:exploit\w*|driver|vulnerab\w*|byovd)\b/i,
};

/** Words that take something back when people decide ("later", "dump the plan"), and mean a deed in a report. */
export const REWORDINGS: readonly [RegExp, string][] = [
  [/\blateral(?:ly)?\b/gi, 'sideways'],
  [/\bdump(ed|s|ing)?\b/gi, 'harvest$1'],
];
