// Text, a gradient with round corners, a rotation.
import QtQuick 2.15
import QtQuick.Window 2.15

Window {
   width: 320; height: 240; visible: true; color: "#203040"
   Rectangle {
      x: 20; y: 20; width: 120; height: 80; radius: 12; rotation: 15
      gradient: Gradient {
         GradientStop { position: 0; color: "orange" }
         GradientStop { position: 1; color: "purple" }
      }
   }
   Text { x: 30; y: 150; text: "Indium"; color: "white"; font.pixelSize: 40 }
}
