# Puts a shortcut to Dreyer Table on the desktop and into the start menu. Run it again after moving the folder.
$here = Split-Path -Parent $MyInvocation.MyCommand.Path
$shell = New-Object -ComObject WScript.Shell
foreach ($place in "Desktop", "Programs") {
    $file = Join-Path ([Environment]::GetFolderPath($place)) "Dreyer Table.lnk"
    $shortcut = $shell.CreateShortcut($file)
    $shortcut.TargetPath = Join-Path $here "dreyer.exe"
    $shortcut.WorkingDirectory = [Environment]::GetFolderPath("MyDocuments")
    $shortcut.IconLocation = Join-Path $here "dreyer.ico"
    $shortcut.Description = "A fire-control table for naval miniatures"
    $shortcut.Save()
    Write-Host "Made: $file"
}
